import { PageLink } from '../controls/page-link.tsx'
import { type DayEvidence, evidenceWords } from '../evidence/day.ts'
import { useReportSearch } from '../read/use-report.ts'
import { weekdayText } from '../words/days.ts'
import { dayOfWindow } from './day-of-window.ts'
import { useCoverage } from './report-page.tsx'

/** The day that the address names. @throws RefusedSearch for one outside of the window. */
export function useSelectedDay(): DayEvidence | null {
  const { day: selected } = useReportSearch()
  return dayOfWindow(useCoverage().days, selected)
}

/** Which panels show one day, and the way back. */
export function SelectedDay({ day, panels }: { day: DayEvidence; panels: string }) {
  const { day: _day, ...others } = useReportSearch()
  return (
    <p className="flex flex-wrap items-center gap-x-8 gap-y-2 text-dense text-ink2" role="status">
      <span>
        <strong className="font-strong text-ink">{weekdayText(day.date)}</strong>, {evidenceWords(day)}: {panels} below
        show this day; everything else shows the window.
      </span>
      <PageLink to="." search={others}>
        Show the whole window
      </PageLink>
    </p>
  )
}
