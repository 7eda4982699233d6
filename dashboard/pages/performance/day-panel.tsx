import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { DailyBreakdown } from '../../../src/contract/dashboard-api/index.ts'
import type { Crawlers, Performance } from '../../../src/contract/site-api/index.ts'
import { ChartPanel } from '../../charts/chart-panel.tsx'
import { DayChart } from '../../charts/days/day-chart.tsx'
import { DayTable, dayColumns } from '../../charts/days/day-table.tsx'
import { SmallMultiples } from '../../charts/days/small-multiples.tsx'
import { type Series, slotsOf } from '../../charts/series.ts'
import { Segments } from '../../controls/segments.tsx'
import type { DayEvidence } from '../../evidence/day.ts'
import { trackSummary } from '../../evidence/day-track.tsx'
import { useReportSearch, useSetSearch } from '../../read/use-report.ts'
import { Async, SkeletonChart } from '../../states/async.tsx'
import { useCoverage } from '../../states/report-page.tsx'
import { csvOf } from '../../tables/csv.ts'
import { counted } from '../../words/numbers.ts'
import { EmptyWords } from './empty-words.tsx'
import { GROUPS } from './parts.ts'
import { seriesByCrawler, seriesByIdentity, seriesByPurpose } from './series.ts'

interface RequestsByDayProps {
  performance: UseQueryResult<Performance>
  crawlers: UseQueryResult<Crawlers>
  /** Read when the days are grouped by identity. */
  breakdown: UseQueryResult<DailyBreakdown>
}

/** Requests by day, stacked by purpose or identity, or as one small chart per crawler. */
export function RequestsByDayPanel({ performance, crawlers, breakdown }: RequestsByDayProps) {
  const search = useReportSearch()
  const setSearch = useSetSearch()
  const { query, days } = useCoverage()
  const group = search.group ?? GROUPS[0]
  const series = useMemo(() => {
    if (performance.data === undefined || crawlers.data === undefined) return null
    if (group === 'identity') return breakdown.data && seriesByIdentity(breakdown.data.daily_identities)
    const of_group = group === 'crawler' ? seriesByCrawler : seriesByPurpose
    return of_group(performance.data.daily, crawlers.data.crawlers)
  }, [performance.data, crawlers.data, breakdown.data, group])
  const show = (
    draw: (days: readonly DayEvidence[], series: readonly Series[], answer: Performance) => React.ReactNode,
  ) => (
    <Async query={performance} skeleton={<SkeletonChart />}>
      {(answer) => (
        <Async query={query} skeleton={<SkeletonChart />}>
          {() => (
            <Async<unknown> query={group === 'identity' ? breakdown : crawlers} skeleton={<SkeletonChart />}>
              {() => days !== null && series && draw(days, series, answer)}
            </Async>
          )}
        </Async>
      )}
    </Async>
  )
  const selectDay = (day: string | undefined) => void setSearch({ day } as never)
  const items = GROUPS.map((key) => {
    const { group: _group, ...others } = search
    return { key, label: GROUP_WORDS[key], search: key === GROUPS[0] ? others : { ...others, group: key } }
  })
  return (
    <ChartPanel
      title="Observed requests a day"
      file_name="observed-requests-a-day"
      controls={<Segments label="Grouped by" items={items} current={group} replace />}
      evidence={days === null ? '' : trackSummary(days)}
      csv={
        performance.data === undefined || days === null || !series
          ? null
          : () => csvOf(performance.data.meta, dayColumns(series), slotsOf(days, series))
      }
      table={show((of_days, shown) => <DayTable caption="Observed requests a day" days={of_days} series={shown} />)}
      chart={show((of_days, shown, answer) => {
        const drawn = { days: of_days, series: shown, selected: search.day, onSelect: selectDay }
        return group === 'crawler' && shown.length > 0 ? (
          <SmallMultiples {...drawn} name={`Observed requests a day by crawler. ${summary(answer, of_days)}`} />
        ) : (
          <>
            <DayChart {...drawn} name={`Observed requests a day. ${summary(answer, of_days)}`} />
            {answer.observed_request_count === 0 && <EmptyWords answer={answer} days={of_days} />}
          </>
        )
      })}
    />
  )
}

const GROUP_WORDS: Record<(typeof GROUPS)[number], string> = {
  purpose: 'Purpose',
  crawler: 'Crawler',
  identity: 'Identity',
}

const summary = ({ observed_request_count }: Performance, days: readonly DayEvidence[]) =>
  `${observed_request_count === null ? 'Requests unknown' : counted(observed_request_count, 'request')}; ${trackSummary(days)}.`
