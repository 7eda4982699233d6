import { type ReactNode, useState } from 'react'
import { Value } from '../evidence/value.tsx'

export interface PickRow {
  key: string
  /** What the search covers. */
  text: string
  label: ReactNode
  /** Null: unknown; undefined: it is being read. */
  count: number | null | undefined
  /** "pageviews" */
  unit: string
}

interface PickListProps {
  label: string
  rows: readonly PickRow[]
  /** Keys of rows that are picked already. */
  picked: ReadonlySet<string>
  onPick: (key: string) => void
  /** Why the list is empty. */
  empty: ReactNode
  /** A note below the list about rows that it lacks. */
  note?: ReactNode
}

const SHOWN = 40

/** A list of observed things with their counts, to pick from. The search covers all of them. */
export function PickList({ label, rows, picked, onPick, empty, note }: PickListProps) {
  const [q, setQ] = useState('')
  const found = rows.filter(({ text }) => text.toLowerCase().includes(q.trim().toLowerCase()))
  const shown = found.slice(0, SHOWN)
  return (
    <div>
      {rows.length > 5 && (
        <input
          type="search"
          aria-label={`Search ${label.toLowerCase()}`}
          placeholder={`Search ${label.toLowerCase()}`}
          value={q}
          onChange={(event) => setQ(event.target.value)}
          className="field mb-4"
        />
      )}
      <ul aria-label={label} className="max-h-160 overflow-y-auto rounded-control border border-line">
        {shown.map(({ key, label: text, count, unit }) => (
          <li key={key} className="border-t border-line first:border-t-0">
            <button
              type="button"
              aria-pressed={picked.has(key)}
              onClick={() => onPick(key)}
              className="flex min-h-17 w-full items-center gap-6 px-5 py-3 text-left hover:bg-sunken aria-pressed:bg-sunken touch:min-h-22"
            >
              <span className="min-w-0 flex-1 truncate">{text}</span>
              {count !== undefined && (
                <span className="shrink-0 text-small text-ink2">
                  <Value value={count} /> {unit}
                </span>
              )}
            </button>
          </li>
        ))}
        {shown.length === 0 && (
          <li className="px-5 py-5 text-ink2">{rows.length === 0 ? empty : `Nothing matches “${q.trim()}”.`}</li>
        )}
      </ul>
      {(found.length > shown.length || note !== undefined) && (
        <p className="mt-3 text-small text-ink2">
          {found.length > shown.length && `Showing ${shown.length} of ${found.length}. Search to see the others. `}
          {note}
        </p>
      )}
    </div>
  )
}
