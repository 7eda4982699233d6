import type { DailyBreakdown } from '../../src/contract/dashboard-api/index.ts'
import type { Meta } from '../../src/contract/site-api/index.ts'
import type { DayEvidence } from '../evidence/day.ts'
import { trackSummary } from '../evidence/day-track.tsx'
import { PATTERN } from '../evidence/patterns.tsx'
import { useReportSearch, useSetSearch } from '../read/use-report.ts'
import { Async, SkeletonChart } from '../states/async.tsx'
import { useCoverage } from '../states/report-page.tsx'
import { csvOf } from '../tables/csv.ts'
import { OUTCOME_COLORS, OUTCOME_STACK, OUTCOME_WORDS } from '../words/outcomes.ts'
import { ChartPanel } from './chart-panel.tsx'
import { DayChart } from './days/day-chart.tsx'
import { DayTable, dayColumns } from './days/day-table.tsx'
import { type Series, slotsOf } from './series.ts'

interface OutcomeDaysProps {
  title: string
  /** Without a file extension. */
  file_name: string
  meta: Meta
  daily: DailyBreakdown['daily_outcomes']
  note?: React.ReactNode
}

/** Requests by day, stacked by outcome; requests with an unobserved response are on top, outside the classes. */
export function OutcomeDays({ title, file_name, meta, daily, note }: OutcomeDaysProps) {
  const { day } = useReportSearch()
  const setSearch = useSetSearch()
  const { query, days } = useCoverage()
  const series = outcomeSeries(daily)
  const draw = (show: (of_days: readonly DayEvidence[]) => React.ReactNode) => (
    <Async query={query} skeleton={<SkeletonChart />}>
      {() => days !== null && show(days)}
    </Async>
  )
  return (
    <ChartPanel
      title={title}
      file_name={file_name}
      evidence={days === null ? '' : trackSummary(days)}
      csv={days === null ? null : () => csvOf(meta, dayColumns(series), slotsOf(days, series))}
      table={draw((of_days) => <DayTable caption={title} days={of_days} series={series} />)}
      chart={draw((of_days) => (
        <>
          <DayChart
            name={`${title}. ${trackSummary(of_days)}.`}
            days={of_days}
            series={series}
            selected={day}
            onSelect={(date) => setSearch({ day: date } as never)}
          />
          {note}
        </>
      ))}
    />
  )
}

/** One series for each outcome that occurs, in stacking order. */
export function outcomeSeries(daily: DailyBreakdown['daily_outcomes']): Series[] {
  const rows = Map.groupBy(daily, ({ outcome }) => outcome)
  return OUTCOME_STACK.flatMap((outcome) => {
    const of_outcome = rows.get(outcome)
    if (of_outcome === undefined) return []
    const counts = new Map(of_outcome.map(({ date, observed_request_count }) => [date, observed_request_count]))
    const look = { label: OUTCOME_WORDS[outcome], color: OUTCOME_COLORS[outcome] }
    const series: Series = { key: outcome, mark: 'square', ...look, counts }
    if (outcome === 'other') return [{ ...series, mark: 'hollow', color: 'var(--color-ink2)' }]
    return [outcome === 'response_unobserved' ? { ...series, pattern: PATTERN.unobserved } : series]
  })
}
