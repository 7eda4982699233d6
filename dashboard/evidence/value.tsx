import type { ReactNode } from 'react'
import { fullCount, shortCount } from '../words/numbers.ts'

/** How exact a number is; each quality has its own word or sign. */
export type ValueQuality = 'exact' | 'partial' | 'so_far' | 'at_least' | 'withheld'

interface ValueProps {
  /** null: unknown, which is never shown as a number. */
  value: number | null
  /** Default: a count with separators. */
  format?: (value: number) => string
  quality?: ValueQuality
  /** A note behind the number, such as "1 in 10". */
  note?: string
  /** Whether zeros are paler than other numbers; figures turn this off. */
  pale_zero?: boolean
}

/** Shows every number. Unknown and withheld numbers are words, never digits. */
export function Value({
  value,
  format = shortCount,
  quality = 'exact',
  note,
  pale_zero = true,
}: ValueProps): ReactNode {
  if (quality === 'withheld') return <Withheld />
  if (value === null || Number.isNaN(value)) return <Unknown />
  const text = format(value)
  const full = format === shortCount && text !== fullCount(value) ? { title: fullCount(value) } : {}
  return (
    <span className={`whitespace-nowrap ${value === 0 && pale_zero ? 'text-ink3' : ''}`} {...full}>
      {quality === 'at_least' && (
        <abbr title="at least" className="no-underline">
          ≥{' '}
        </abbr>
      )}
      {text}
      {quality === 'partial' && <PartialMark />}
      {quality === 'so_far' && <span className="text-ink3"> so far</span>}
      {note !== undefined && <span className="text-small text-ink3"> {note}</span>}
    </span>
  )
}

export const Unknown = () => <span className="whitespace-nowrap text-ink2">unknown</span>

const Withheld = () => (
  <span className="inline-flex items-center gap-2 rounded-tag border border-dotted border-control px-3 text-ink2">
    <svg aria-hidden="true" viewBox="0 0 10 12" className="h-5 w-5" fill="none" stroke="currentColor" strokeWidth="1.3">
      <path d="M3 5V3.5a2 2 0 0 1 4 0V5" />
      <rect x="1.5" y="5" width="7" height="5.5" rx="1" />
    </svg>
    withheld
  </span>
)

/** ◐ in the form of the evidence line, since not every font has the character. */
export const PartialMark = () => (
  <svg role="img" aria-label=", watched in part" viewBox="0 0 12 12" className="ml-2 inline h-5 w-5 align-[-1px]">
    <circle cx="6" cy="6" r="4.9" fill="none" stroke="currentColor" strokeWidth="1.4" />
    <path d="M6 1.1a4.9 4.9 0 0 0 0 9.8z" fill="currentColor" />
  </svg>
)
