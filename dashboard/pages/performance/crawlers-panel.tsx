import type { UseQueryResult } from '@tanstack/react-query'
import type { Crawlers, Performance } from '../../../src/contract/site-api/index.ts'
import { IdentityLegend, identityKeysOf } from '../../charts/identity-bar.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { SaveCsv } from '../../controls/save-csv.tsx'
import { filterOf, searchOfFilter } from '../../read/search.ts'
import { useReportSearch, useSiteId } from '../../read/use-report.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel } from '../../states/panel.tsx'
import { useCoverage } from '../../states/report-page.tsx'
import { csvOf } from '../../tables/csv.ts'
import { DataTable } from '../../tables/data-table.tsx'
import { crawlerColumns } from '../crawlers/columns.tsx'
import { TOP_CRAWLERS } from './parts.ts'
import { knownCrawlers, unknownWords } from './purposes.ts'
import { useDaysByCrawler } from './series.ts'

interface CrawlersPanelProps {
  performance: UseQueryResult<Performance>
  crawlers: UseQueryResult<Crawlers>
}

export function CrawlersPanel({ performance, crawlers }: CrawlersPanelProps) {
  const site = useSiteId()
  const filter = filterOf(useReportSearch())
  const search = searchOfFilter(filter)
  const { days } = useCoverage()
  const by_crawler = useDaysByCrawler(performance)
  const columns = crawlerColumns({ site, search, days, by_crawler, window: filter.window }).filter(
    ({ key }) => key !== 'scope',
  )
  const answer = crawlers.data
  const known = answer && knownCrawlers(answer)
  return (
    <Panel
      title="Crawlers"
      note={known && `${known.length} observed`}
      actions={
        answer !== undefined && (
          <SaveCsv label="Crawlers" file_name="crawlers" csv={() => csvOf(answer.meta, columns, answer.crawlers)} />
        )
      }
    >
      <Async query={crawlers} skeleton={<SkeletonRows rows={TOP_CRAWLERS} />}>
        {({ meta, crawlers: rows }) => (
          <>
            <DataTable
              caption="Crawlers with the most requests"
              columns={columns}
              rows={rows.slice(0, TOP_CRAWLERS)}
              rowKey={({ crawler_id }) => crawler_id}
              total={known === null ? null : rows.length}
              api_order="requests"
              empty={known === null ? unknownWords('Which crawlers came', meta) : 'No crawler was observed.'}
              foot={
                <PageLink to="/sites/$site/crawlers" params={{ site }} search={search}>
                  All crawlers
                </PageLink>
              }
            />
            {rows.length > 0 && (
              <div className="px-8 pb-6 max-tablet:px-6">
                <IdentityLegend keys={identityKeysOf(rows)} />
              </div>
            )}
          </>
        )}
      </Async>
    </Panel>
  )
}
