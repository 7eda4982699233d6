import type { ReactNode } from 'react'
import { Unknown, Value } from '../../evidence/value.tsx'
import { fullCount, percent } from '../../words/numbers.ts'
import { VALUE_QUALITIES } from '../../words/tracker.ts'
import type { FunnelBar } from './funnel-steps.ts'

/** The same funnel on phones: one horizontal bar a step. */
export function FunnelBars({
  bars,
  active = null,
  tooltip,
}: {
  bars: readonly FunnelBar[]
  active?: number | null
  /** Of the active step. */
  tooltip?: ReactNode
}) {
  const largest = Math.max(1, ...bars.map(({ reached }) => reached ?? 0))
  return (
    <ol>
      {bars.map((one, index) => {
        const share = (count: number) => `${(count / largest) * 100}%`
        const before = bars[index - 1]?.reached ?? null
        return (
          <li
            key={one.position}
            data-step={index}
            className={`relative border-t border-line py-6 first:border-t-0 first:pt-0 ${active === index ? 'bg-sunken' : ''}`}
          >
            {active === index && tooltip}
            <p className="flex items-baseline justify-between gap-6">
              <span className={one.kind === 'page' ? 'font-mono text-code break-all' : 'font-medium'}>{one.words}</span>
              <span className="shrink-0 font-strong">
                {one.reached === null && one.quality !== 'suppressed' ? (
                  <Unknown />
                ) : (
                  <Value value={one.reached} quality={VALUE_QUALITIES[one.quality]} format={fullCount} />
                )}
              </span>
            </p>
            {one.reached === null ? (
              <div
                className={`mt-3 h-7 rounded-tag border ${one.quality === 'suppressed' ? 'border-dotted border-control' : 'hatched border-hatch'}`}
              />
            ) : (
              <div className="relative mt-3 h-7">
                {before !== null && (
                  <span className="absolute inset-y-0 left-0 border border-control" style={{ width: share(before) }} />
                )}
                <span
                  className={`absolute inset-y-0 left-0 bg-series ${one.quality === 'observed_lower_bound' ? 'border-r-2 border-dashed border-ink' : ''}`}
                  style={{ width: share(one.reached) }}
                />
              </div>
            )}
            <p className="mt-3 text-small text-ink2">{wordsOf(one)}</p>
          </li>
        )
      })}
    </ol>
  )
}

function wordsOf({ position, rate, lost }: FunnelBar): string {
  if (position === 1) return 'entered'
  const went = rate === null ? '' : `${percent(rate)} went on`
  const stayed = lost === null ? '' : `${fullCount(lost)} not seen going on`
  return [went, stayed].filter((part) => part !== '').join(' · ')
}
