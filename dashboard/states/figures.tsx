import type { ReactNode } from 'react'
import { Value, type ValueQuality } from '../evidence/value.tsx'

interface FigureProps {
  label: string
  /** null: unknown; undefined: it is being read. */
  value: number | null | undefined
  format?: (value: number) => string
  quality?: ValueQuality
  /** Beside the number, such as an interval. */
  aside?: ReactNode
  note?: ReactNode
  /** Below an unknown number: why it is unknown. */
  unknown_note?: ReactNode
  /** Why there is no number although nothing is unknown, such as a rate of no sessions. */
  not_defined?: string | undefined
}

/**
 * The figures of a page in one row; the first is the answer to its question. Where the row is too narrow for their
 * numbers and labels, they take several.
 */
export const Figures = ({ label, children }: { label: string; children: ReactNode }) => (
  <section aria-label={label} className="@container">
    <dl className="panel grid grid-cols-2 overflow-hidden tablet:grid-cols-[repeat(auto-fit,minmax(150px,1fr))] @min-[1040px]:auto-cols-fr @min-[1040px]:grid-flow-col @min-[1040px]:grid-cols-[minmax(0,1.5fr)]">
      {children}
    </dl>
  </section>
)

export function Figure({ label, value, format, quality, aside, note, unknown_note, not_defined }: FigureProps) {
  const is_defined = value !== null || not_defined === undefined
  return (
    <div className="-mt-px -ml-px min-w-0 border-t border-l border-line px-8 py-6 max-tablet:px-6 max-tablet:first:col-span-2">
      <dt className="truncate text-small text-ink3">{label}</dt>
      <dd>
        {value === undefined ? (
          <span className="skeleton my-3 block h-9 w-36 max-w-full appear-late" />
        ) : (
          <>
            <span className={value === null ? 'text-[18px] leading-15 font-medium' : 'text-figure font-strong'}>
              {is_defined ? (
                <Value
                  value={value}
                  pale_zero={false}
                  {...(format === undefined ? {} : { format })}
                  {...(quality === undefined ? {} : { quality })}
                />
              ) : (
                <span className="text-ink2">not defined</span>
              )}
            </span>
            {aside !== undefined && value !== null && <span className="ml-4 text-small text-ink2">{aside}</span>}
          </>
        )}
        {(value !== null || (is_defined && unknown_note !== undefined)) && (
          <span className="block min-h-8 text-small text-ink2">{value === null ? unknown_note : note}</span>
        )}
        {!is_defined && <span className="block min-h-8 text-small text-ink2">{not_defined}</span>}
      </dd>
    </div>
  )
}
