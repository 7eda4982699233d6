import { DAY_FORM_WORDS, DAY_FORMS, type DayForm } from '../evidence/day.ts'
import { DayFormMark } from '../evidence/day-cell.tsx'
import { SeriesMark } from './mark.tsx'
import type { Series } from './series.ts'

interface ChartLegendProps {
  series: readonly Series[]
  /** Forms of days that occur. */
  forms: readonly DayForm[]
  is_weekly: boolean
}

/** In stacking order from the top, followed by the forms of days that occur. */
export function ChartLegend({ series, forms, is_weekly }: ChartLegendProps) {
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
        {is_weekly && <li>by week</li>}
        {DAY_FORMS.filter((form) => forms.includes(form)).map((form) => (
          <li key={form} className="flex items-center gap-4">
            <DayFormMark form={form} />
            {DAY_FORM_WORDS[form]}
          </li>
        ))}
      </ul>
    </div>
  )
}
