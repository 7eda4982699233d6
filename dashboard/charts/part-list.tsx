import { Value } from '../evidence/value.tsx'
import { percent } from '../words/numbers.ts'
import { Mark } from './mark.tsx'
import { ShareBar } from './share-bar.tsx'

interface PartListProps {
  label: string
  /** null: unknown. */
  total: number | null
  parts: readonly { key: string; label: string; count: number | null; is_hollow?: boolean }[]
  has_bar?: boolean
}

const INK = 'var(--color-2xx)'

/** Parts of a total as one bar, and as rows with their shares. */
export function PartList({ label, total, parts, has_bar = true }: PartListProps) {
  return (
    <div>
      {has_bar && total !== null && (
        <ShareBar
          label={label}
          height={12}
          className="mb-6 w-full"
          parts={parts.flatMap(({ count, is_hollow = false, ...part }) => {
            if (count === null) return []
            return [{ ...part, count, ...(is_hollow ? { color: 'var(--color-panel)', outline: INK } : { color: INK }) }]
          })}
        />
      )}
      {has_bar && total === null && <div className="hatched mb-6 h-6 rounded-tag border border-hatch" />}
      <ul>
        {parts.map(({ key, label: text, count, is_hollow = false }) => (
          <li key={key} className="flex items-center gap-6 py-3">
            {has_bar && <Mark mark={is_hollow ? 'hollow' : 'square'} color={INK} />}
            <span className="mr-auto">{text}</span>
            <Value value={count} />
            {count !== null && total !== null && total > 0 && (
              <span className="w-29 text-right text-ink2">
                <Value value={count / total} format={percent} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
