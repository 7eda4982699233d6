import type { CrawlerAnswer } from '../../../src/contract/site-api/index.ts'
import { ChartPanel } from '../../charts/chart-panel.tsx'
import { DayChart } from '../../charts/day-chart.tsx'
import { DayTable, dayColumns } from '../../charts/day-table.tsx'
import { PURPOSE_MARKS } from '../../charts/mark.tsx'
import { type Series, slotsOf } from '../../charts/series.ts'
import { trackSummary } from '../../evidence/day-track.tsx'
import { useReportSearch, useSetSearch } from '../../read/use-report.ts'
import { Async, SkeletonBox } from '../../states/async.tsx'
import { useCoverage } from '../../states/report-page.tsx'
import { csvOf } from '../../tables/csv.ts'
import { PURPOSE_COLORS } from '../../words/purposes.ts'

/** Requests of one crawler by day, in the colour of its purpose. */
export function CrawlerDays({ answer }: { answer: CrawlerAnswer }) {
  const { day } = useReportSearch()
  const setSearch = useSetSearch()
  const { query, days } = useCoverage()
  const series: Series[] = [
    {
      key: 'observed_request_count',
      label: answer.display_name,
      color: PURPOSE_COLORS[answer.purpose],
      mark: PURPOSE_MARKS[answer.purpose],
      counts: new Map(answer.daily.map(({ date, observed_request_count }) => [date, observed_request_count])),
    },
  ]
  const title = 'Observed requests a day'
  return (
    <ChartPanel
      title={title}
      file_name={`${answer.crawler_id}-requests-a-day`}
      evidence={days === null ? '' : trackSummary(days)}
      csv={days === null ? null : () => csvOf(answer.meta, dayColumns(series), slotsOf(days, series))}
      table={days !== null && <DayTable caption={title} days={days} series={series} />}
      chart={
        <Async query={query} skeleton={<SkeletonBox height={268} />}>
          {() =>
            days !== null && (
              <>
                <DayChart
                  name={`${answer.display_name}: ${title.toLowerCase()}. ${trackSummary(days)}.`}
                  days={days}
                  series={series}
                  selected={day}
                  onSelect={(date) => setSearch({ day: date } as never)}
                />
                {answer.observed_request_count === 0 && (
                  <p className="mt-6 text-ink2">Not observed in the watched time.</p>
                )}
              </>
            )
          }
        </Async>
      }
    />
  )
}
