import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Meta } from '../../../src/contract/site-api/index.ts'
import { PurposeFilter } from '../../controls/purpose-filter.tsx'
import { WindowPicker } from '../../controls/window-picker.tsx'
import { readQuery } from '../../read/queries.ts'
import { useReportInput, useReportSearch } from '../../read/use-report.ts'
import { PanelColumn, PanelColumns, ReportPage } from '../../states/report-page.tsx'
import { SelectedDay, useSelectedDay } from '../../states/selected-day.tsx'
import { CrawlersOfDay } from './crawlers-of-day.tsx'
import { CrawlersPanel } from './crawlers-panel.tsx'
import { RequestsByDayPanel } from './day-panel.tsx'
import { CrawlerOverviewFigures } from './figures.tsx'
import { OutcomesOfWindow, PathClassPanel, ScopePanel } from './outcomes-panel.tsx'
import { TOP_PAGES } from './parts.ts'
import { countsByPurpose, hiddenByPurpose, totalOfCrawlers } from './purposes.ts'
import { TopPagesPanel } from './top-pages-panel.tsx'

const FirstRun = lazy(() => import('../../connect/first-run.tsx'))

/** Who came, how often, and what did they get? */
export function PerformancePage() {
  const input = useReportInput()
  const performance = useQuery(readQuery('getPerformance', input))
  const crawlers = useQuery(readQuery('getCrawlers', input))
  const pages = useQuery(readQuery('getTopPages', { ...input, limit: TOP_PAGES }))
  const { day: selected, group } = useReportSearch()
  const breakdown = useQuery({
    ...readQuery('getDailyBreakdown', input),
    enabled: group === 'identity' || selected !== undefined,
  })
  const day = useSelectedDay()
  return (
    <ReportPage
      title="Crawler overview"
      controls={<WindowPicker />}
      filters={<PurposeFilter shown={countsByPurpose(crawlers.data)} hidden={hiddenByPurpose(performance.data)} />}
      metas={[performance.data?.meta, crawlers.data?.meta, pages.data?.meta]}
      totals={[performance.data?.observed_request_count, totalOfCrawlers(crawlers.data)]}
    >
      {performance.data !== undefined && <WithoutEvidence key={input.site} meta={performance.data.meta} />}
      <CrawlerOverviewFigures performance={performance} crawlers={crawlers} pages={pages} />
      <RequestsByDayPanel performance={performance} crawlers={crawlers} breakdown={breakdown} />
      {day !== null && <SelectedDay day={day} panels="crawlers and outcomes" />}
      <PanelColumns>
        <PanelColumn>
          {day === null ? (
            <CrawlersPanel performance={performance} crawlers={crawlers} />
          ) : (
            <CrawlersOfDay performance={performance} crawlers={crawlers} day={day} />
          )}
          <TopPagesPanel pages={pages} />
        </PanelColumn>
        <PanelColumn>
          <OutcomesOfWindow performance={performance} breakdown={breakdown} day={day} />
          <PathClassPanel performance={performance} />
          <ScopePanel performance={performance} />
        </PanelColumn>
      </PanelColumns>
    </ReportPage>
  )
}

/** The ways to add evidence stay visible, with their receipt, until the person closes them. */
function WithoutEvidence({ meta }: { meta: Meta }) {
  const [is_needed] = useState(meta.coverage_state === 'unknown')
  if (!is_needed) return null
  return (
    <Suspense fallback={<div aria-busy="true" className="panel h-250 appear-late" />}>
      <FirstRun meta={meta} />
    </Suspense>
  )
}
