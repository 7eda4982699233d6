import { DAY_FORMS, type DayEvidence, dayFormWords, formOf, trackWords } from '../evidence/day.ts'
import { DayFormMark } from '../evidence/day-cell.tsx'
import { SeriesMark } from './mark.tsx'
import type { Series } from './series.ts'

interface ChartLegendProps {
  series: readonly Series[]
  days: readonly DayEvidence[]
}

/** In stacking order from the top, followed by the forms of days that occur. */
export function ChartLegend({ series, days }: ChartLegendProps) {
  const forms = new Set(days.map(formOf))
  const words = trackWords(days)
  return (
    <div className="mt-5 flex flex-wrap justify-between gap-x-12 gap-y-2 text-small text-ink2">
      <ul className="flex flex-wrap gap-x-8 gap-y-2">
        {series.toReversed().map((one) => (
          <li key={one.key} className="flex items-center gap-4">
            <SeriesMark series={one} />
            {one.label}
          </li>
        ))}
      </ul>
      <ul className="flex flex-wrap gap-x-8 gap-y-2">
        {DAY_FORMS.filter((form) => forms.has(form)).map((form) => (
          <li key={form} className="flex items-center gap-4">
            <DayFormMark form={form} />
            {dayFormWords(form, words)}
          </li>
        ))}
      </ul>
    </div>
  )
}
