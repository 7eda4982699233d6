import type { FunnelBar } from './funnel-steps.ts'

/** The legend of the forms that occur in the chart. */
export function FunnelLegend({ bars }: { bars: readonly FunnelBar[] }) {
  const has_counts = bars.some(({ reached }) => reached !== null)
  if (!has_counts) return null
  return (
    <ul className="mt-8 flex flex-wrap gap-x-10 gap-y-2 border-t border-line pt-6 text-small text-ink2">
      <li className="flex items-center gap-4">
        <svg aria-hidden="true" className="h-5 w-5">
          <rect width="10" height="10" rx="1.5" fill="var(--color-series)" />
        </svg>
        observed sessions
      </li>
      {bars.some(({ quality }) => quality === 'observed_lower_bound') && (
        <li className="flex items-center gap-4">
          <svg aria-hidden="true" className="h-2 w-9">
            <path d="M0 1.5h18" stroke="var(--color-ink)" strokeWidth="1.5" strokeDasharray="3 2" />
          </svg>
          at least: events of some days are missing
        </li>
      )}
      {bars.some(({ lost }) => lost !== null && lost > 0) && (
        <li className="flex items-center gap-4">
          <svg aria-hidden="true" className="h-5 w-6">
            <rect x="0.5" y="0.5" width="11" height="9" fill="none" stroke="var(--color-control)" />
          </svg>
          reached the previous step, not seen here
        </li>
      )}
    </ul>
  )
}
