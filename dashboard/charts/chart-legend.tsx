import type { DayEvidence } from '../evidence/day.ts'
import { DayFormLegend } from '../evidence/day-form-legend.tsx'
import { SeriesMark } from './mark.tsx'
import type { Series } from './series.ts'

interface ChartLegendProps {
  series: readonly Series[]
  days: readonly DayEvidence[]
}

/** In stacking order from the top, followed by the forms of days that occur. */
export const ChartLegend = ({ series, days }: ChartLegendProps) => (
  <div className="mt-5 flex flex-wrap justify-between gap-x-12 gap-y-2 text-small text-ink2">
    <ul className="flex flex-wrap gap-x-8 gap-y-2">
      {series.toReversed().map((one) => (
        <li key={one.key} className="flex items-center gap-4">
          <SeriesMark series={one} />
          {one.label}
        </li>
      ))}
    </ul>
    <DayFormLegend days={days} />
  </div>
)
