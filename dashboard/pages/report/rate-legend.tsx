import { pointsOf, type SeriesRow } from './points.ts'

/** The forms that occur. */
export function RateLegend({ rows }: { rows: readonly SeriesRow[] }) {
  const engines = new Set(rows.map(({ engine }) => engine))
  const has_break = [...engines].some((engine) =>
    pointsOf(rows.filter((row) => row.engine === engine)).some((point) => point.break != null),
  )
  return (
    <ul className="mt-5 flex flex-wrap gap-x-8 gap-y-2 text-small text-ink2">
      <li className="flex items-center gap-4">
        <svg aria-hidden="true" width="8" height="14">
          <rect x="1" width="6" height="14" fill="var(--color-series)" fillOpacity="0.3" />
          <circle cx="4" cy="7" r="3" fill="var(--color-series)" />
        </svg>
        rate and 95 % interval
      </li>
      <li className="flex items-center gap-4">
        <svg aria-hidden="true" width="10" height="14">
          <circle cx="5" cy="7" r="3.2" fill="var(--color-panel)" stroke="var(--color-series)" strokeWidth="1.4" />
        </svg>
        fewer than 10 answers, or so far
      </li>
      {has_break && (
        <li className="flex items-center gap-4">
          <svg aria-hidden="true" width="4" height="14">
            <path d="M2 0V14" stroke="var(--color-ink2)" strokeWidth="1.4" strokeDasharray="2 3" />
          </svg>
          model or surface changed: not one series
        </li>
      )}
      {rows.some(({ state }) => state === 'gap') && (
        <li className="flex items-center gap-4">
          <span aria-hidden="true" className="hatched h-5 w-8 rounded-tag border border-hatch" />
          no answered run: unknown, not zero
        </li>
      )}
    </ul>
  )
}
