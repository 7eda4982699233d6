import type { UseQueryResult } from '@tanstack/react-query'
import type { AnalyticsOverview } from '../../../src/contract/site-api/index.ts'
import { ChartPanel } from '../../charts/chart-panel.tsx'
import { DayChart } from '../../charts/days/day-chart.tsx'
import { DayTable, dayColumns } from '../../charts/days/day-table.tsx'
import { slotsOf } from '../../charts/series.ts'
import { Segments } from '../../controls/segments.tsx'
import { trackSummary } from '../../evidence/day-track.tsx'
import { useReportSearch, useSetSearch } from '../../read/use-report.ts'
import { Async, SkeletonChart } from '../../states/async.tsx'
import { dayOfWindow } from '../../states/day-of-window.ts'
import { useTrackerCoverage } from '../../states/tracker-page.tsx'
import { csvOfTracker } from '../../tables/csv.ts'
import { counted } from '../../words/numbers.ts'
import { daysOfMetric, METRIC_WORDS, METRICS, type Metric, seriesOf } from './metrics.ts'

/** One metric by day. The coverage of the tracker explains days without a number. */
export function VisitsByDayPanel({ overview }: { overview: UseQueryResult<AnalyticsOverview> }) {
  const search = useReportSearch()
  const setSearch = useSetSearch()
  const { query, days: collected } = useTrackerCoverage()
  const metric = (search.group ?? METRICS[0]) as Metric
  const series = overview.data === undefined ? null : [seriesOf(metric, overview.data)]
  const days = collected === null || overview.data === undefined ? null : daysOfMetric(collected, metric, overview.data)
  const { group: _group, ...others } = search
  const items = METRICS.map((key) => ({
    key,
    label: METRIC_WORDS[key],
    search: key === METRICS[0] ? others : { ...others, group: key },
  }))
  const title = `${METRIC_WORDS[metric]} a day`
  const draw = (show: (answer: AnalyticsOverview) => React.ReactNode) => (
    <Async query={overview} skeleton={<SkeletonChart />}>
      {(answer) => (
        <Async query={query} skeleton={<SkeletonChart />}>
          {() => show(answer)}
        </Async>
      )}
    </Async>
  )
  const summary = collected === null ? '' : trackSummary(collected)
  const full = collected?.filter(({ state }) => state === 'complete').length
  return (
    <ChartPanel
      title={title}
      file_name={`${metric.replace('_', '-')}-a-day`}
      controls={<Segments is_wide label="Shown" items={items} current={metric} replace />}
      evidence={summary}
      csv={
        overview.data === undefined || days === null || series === null
          ? null
          : () => csvOfTracker(overview.data.meta, dayColumns(series, null), slotsOf(days, series))
      }
      table={draw(
        () =>
          days !== null &&
          series !== null && <DayTable caption={title} days={days} series={series} total_label={null} />,
      )}
      chart={draw(
        (answer) =>
          days !== null &&
          series !== null && (
            <>
              <DayChart
                name={`${title}. ${summary}.`}
                days={days}
                series={series}
                total_label={METRIC_WORDS[metric]}
                selected={dayOfWindow(days, search.day)?.date}
                onSelect={(day) => setSearch({ day } as never)}
              />
              {answer.metrics.sessions === 0 && <p className="mt-8 text-ink2">{noSessionWords(full ?? 0)}</p>}
              {metric === 'conversions' && answer.metrics.conversions === null && answer.metrics.sessions !== null && (
                <p className="mt-8 text-ink2">No conversion was in force in this window.</p>
              )}
            </>
          ),
      )}
    />
  )
}

/** `full`: how many days were collected in full. */
const noSessionWords = (full: number): string =>
  full === 0
    ? 'No session was observed in the collected time.'
    : `No session was observed in the ${counted(full, 'day that was', 'days that were')} collected in full.`
