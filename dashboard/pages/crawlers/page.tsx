import { useQuery } from '@tanstack/react-query'
import type { DailyBreakdown } from '../../../src/contract/dashboard-api/index.ts'
import type { Crawler, Crawlers } from '../../../src/contract/site-api/index.ts'
import { IdentityLegend, identityKeysOf } from '../../charts/identity-bar.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { PurposeFilter } from '../../controls/purpose-filter.tsx'
import { SaveCsv } from '../../controls/save-csv.tsx'
import { WindowPicker } from '../../controls/window-picker.tsx'
import { readQuery } from '../../read/queries.ts'
import { filterOf, searchOfFilter } from '../../read/search.ts'
import { useReportInput, useReportSearch } from '../../read/use-report.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel } from '../../states/panel.tsx'
import { ReportPage, useCoverage } from '../../states/report-page.tsx'
import { csvOf } from '../../tables/csv.ts'
import { DataTable } from '../../tables/data-table.tsx'
import { FilterBox, matches, nothingMatches } from '../../tables/filter-box.tsx'
import { type Column, sorted, sortOf } from '../../tables/table-types.ts'
import { useSort } from '../../tables/use-sort.ts'
import {
  countsByPurpose,
  hiddenByPurpose,
  knownCrawlers,
  totalOfCrawlers,
  unknownWords,
} from '../performance/purposes.ts'
import { useDaysByCrawler } from '../performance/series.ts'
import { crawlerColumns } from './columns.tsx'
import { errorsByCrawler, errorsColumn } from './errors.tsx'

/** Which crawlers sent requests, and how certain is their identity? */
export function CrawlersPage() {
  const input = useReportInput()
  const { sort } = useReportSearch()
  const crawlers = useQuery(readQuery('getCrawlers', input))
  const performance = useQuery(readQuery('getPerformance', input))
  const breakdown = useQuery(readQuery('getDailyBreakdown', input))
  const by_crawler = useDaysByCrawler(performance)
  return (
    <ReportPage
      title="Crawlers"
      controls={<WindowPicker />}
      filters={<PurposeFilter shown={countsByPurpose(crawlers.data)} hidden={hiddenByPurpose(performance.data)} />}
      metas={[crawlers.data?.meta, performance.data?.meta]}
      totals={[performance.data?.observed_request_count, totalOfCrawlers(crawlers.data)]}
    >
      <Async query={crawlers} skeleton={SKELETON}>
        {(answer) => {
          const table = (
            <CrawlersTable
              answer={answer}
              by_crawler={by_crawler}
              breakdown={breakdown.isError ? null : breakdown.data}
            />
          )
          if (sortOf(sort)?.key !== 'errors') return table
          // Rows that are sorted by values not read yet would move under the pointer.
          return (
            <Async query={breakdown} skeleton={SKELETON}>
              {() => table}
            </Async>
          )
        }}
      </Async>
    </ReportPage>
  )
}

const SKELETON = (
  <Panel title="Crawlers">
    <SkeletonRows rows={12} />
  </Panel>
)

/** After the requests and their share. */
const ERRORS_AT = 5

interface CrawlersTableProps {
  answer: Crawlers
  by_crawler: ReturnType<typeof useDaysByCrawler>
  /** Undefined while it is read, null if it could not be read. */
  breakdown: DailyBreakdown | null | undefined
}

function CrawlersTable({ answer, by_crawler, breakdown }: CrawlersTableProps) {
  const { meta, crawlers } = answer
  const { site } = useReportInput()
  const search = useReportSearch()
  const filter = filterOf(search)
  const { days } = useCoverage()
  const { sort, onSort } = useSort()
  const is_by_errors = sort?.key === 'errors'
  // The pages of a crawler keep the order by errors.
  const kept = { ...searchOfFilter(filter), ...(is_by_errors ? { sort: '-errors' } : {}) }
  const columns = crawlerColumns({ site, search: kept, days, by_crawler, window: filter.window })
    .toSpliced(ERRORS_AT, 0, errorsColumn(breakdown && errorsByCrawler(breakdown)))
    .map((column) => (is_by_errors ? onPhoneByErrors(column) : column))
  const rows = crawlers.filter(({ crawler_id, display_name, platform }) =>
    matches(search.q, crawler_id, display_name, platform),
  )
  const known = knownCrawlers(answer)
  return (
    <Panel
      title="Observed crawlers"
      note={
        meta.registry_version !== null && (
          <>
            Labels of registry{' '}
            <PageLink to="/settings/registry" className="link">
              {meta.registry_version}
            </PageLink>
          </>
        )
      }
      actions={
        <>
          <FilterBox label="Filter crawlers by name" rows={crawlers.length} />
          <SaveCsv
            label="Crawlers"
            file_name="crawlers"
            csv={() => csvOf(meta, columns, sorted(rows, columns, sort))}
          />
        </>
      }
    >
      <DataTable
        caption="Crawlers, most requests first"
        columns={columns}
        rows={rows}
        rowKey={({ crawler_id }) => crawler_id}
        total={known === null ? null : crawlers.length}
        sort={sort}
        onSort={onSort}
        api_order="requests"
        empty={
          nothingMatches({ what: 'crawler', q: search.q, searched: crawlers.length, total: crawlers.length }) ??
          (known === null
            ? unknownWords('Which crawlers came', meta)
            : 'No crawler was observed in the time that was watched.')
        }
        foot={<IdentityLegend keys={identityKeysOf(rows)} />}
      />
    </Panel>
  )
}

/** A phone has room for one number, which is the one that rows are sorted by. */
function onPhoneByErrors(column: Column<Crawler>): Column<Crawler> {
  if (column.key === 'errors') return { ...column, phone: 'value' }
  return column.key === 'requests' ? { ...column, phone: 'hidden' } : column
}
