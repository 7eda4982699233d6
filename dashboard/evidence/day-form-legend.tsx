import { DAY_FORMS, type DayEvidence, dayFormWords, formOf, trackWords } from './day.ts'
import { DayFormMark } from './day-cell.tsx'

/** The forms of days that occur, with what they mean. */
export function DayFormLegend({ days }: { days: readonly DayEvidence[] }) {
  const forms = new Set(days.map(formOf))
  const words = trackWords(days)
  return (
    <ul className="flex flex-wrap gap-x-8 gap-y-2 text-small text-ink2">
      {DAY_FORMS.filter((form) => forms.has(form)).map((form) => (
        <li key={form} className="flex items-center gap-4">
          <DayFormMark form={form} />
          {dayFormWords(form, words)}
        </li>
      ))}
    </ul>
  )
}
