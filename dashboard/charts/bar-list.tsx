import type { ReactNode } from 'react'
import { Value } from '../evidence/value.tsx'
import { percent } from '../words/numbers.ts'

export interface BarRow {
  key: string
  label: ReactNode
  count: number
  color?: string
  /** Small text below the bar. */
  note?: ReactNode
}

interface BarListProps {
  rows: readonly BarRow[]
  /** The total that shares are computed from; null: unknown, so no shares are shown. */
  total: number | null
  /** "sessions" */
  unit: string
}

/** Rows with one bar each. All bars begin at zero and have the same scale. */
export function BarList({ rows, total, unit }: BarListProps) {
  const largest = Math.max(1, ...rows.map(({ count }) => count))
  return (
    <ul>
      {rows.map(({ key, label, count, color = 'var(--color-series)', note }) => (
        <li key={key} className="border-t border-line py-4 first:border-t-0">
          <p className="flex items-baseline gap-6">
            <span className="mr-auto min-w-0 truncate">{label}</span>
            <span>
              <Value value={count} /> <span className="sr-only">{unit}</span>
            </span>
            <span className="w-29 shrink-0 text-right text-ink2">
              {total !== null && total > 0 && <Value value={count / total} format={percent} />}
            </span>
          </p>
          <svg aria-hidden="true" className="mt-2 block h-3 w-full overflow-visible">
            <rect width={`${Math.max(0.4, (count / largest) * 100)}%`} height="6" rx="1.5" fill={color} />
          </svg>
          {note !== undefined && <p className="mt-2 text-small text-ink2">{note}</p>}
        </li>
      ))}
    </ul>
  )
}
