import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Crawlers } from '../../../src/contract/site-api/index.ts'
import { IdentityLegend, identityKeysOf } from '../../charts/identity-bar.tsx'
import { PurposeFilter } from '../../controls/purpose-filter.tsx'
import { SaveCsv } from '../../controls/save-csv.tsx'
import { WindowPicker } from '../../controls/window-picker.tsx'
import { readQuery } from '../../read/queries.ts'
import { filterOf, searchOfFilter } from '../../read/search.ts'
import { useReportInput, useReportSearch, useSetSearch } from '../../read/use-report.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel } from '../../states/panel.tsx'
import { ReportPage, useCoverage } from '../../states/report-page.tsx'
import { csvOf } from '../../tables/csv.ts'
import { DataTable } from '../../tables/data-table.tsx'
import { FilterBox, matches } from '../../tables/filter-box.tsx'
import { sorted, sortOf } from '../../tables/table-types.ts'
import { countsByPurpose, hiddenByPurpose } from '../performance/purposes.ts'
import { daysByCrawler } from '../performance/series.ts'
import { crawlerColumns } from './columns.tsx'

/** Which crawlers came, and how sure is that? */
export function CrawlersPage() {
  const input = useReportInput()
  const crawlers = useQuery(readQuery('getCrawlers', input))
  const performance = useQuery(readQuery('getPerformance', input))
  const by_crawler = useMemo(() => daysByCrawler(performance.data?.daily ?? []), [performance.data])
  return (
    <ReportPage
      title="Crawlers"
      controls={<WindowPicker />}
      filters={<PurposeFilter shown={countsByPurpose(crawlers.data)} hidden={hiddenByPurpose(performance.data)} />}
      metas={[crawlers.data?.meta, performance.data?.meta]}
    >
      <Async
        query={crawlers}
        skeleton={
          <Panel title="Crawlers">
            <SkeletonRows rows={12} />
          </Panel>
        }
      >
        {(answer) => <CrawlersTable answer={answer} by_crawler={by_crawler} />}
      </Async>
    </ReportPage>
  )
}

interface CrawlersTableProps {
  answer: Crawlers
  by_crawler: ReturnType<typeof daysByCrawler>
}

function CrawlersTable({ answer: { meta, crawlers }, by_crawler }: CrawlersTableProps) {
  const { site } = useReportInput()
  const search = useReportSearch()
  const filter = filterOf(search)
  const setSearch = useSetSearch()
  const { days } = useCoverage()
  const sort = sortOf(search.sort)
  const columns = crawlerColumns({ site, search: searchOfFilter(filter), days, by_crawler, window: filter.window })
  const rows = crawlers.filter(({ crawler_id, display_name, platform }) =>
    matches(search.q, crawler_id, display_name, platform),
  )
  const is_unknown = meta.coverage_state === 'unknown'
  return (
    <Panel
      title="Observed crawlers"
      note={meta.registry_version === null ? undefined : `Labels of registry ${meta.registry_version}`}
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
        total={is_unknown ? null : crawlers.length}
        sort={sort}
        onSort={({ key, descending }) => setSearch({ sort: `${descending ? '-' : ''}${key}` }, { replace: true })}
        api_order="requests"
        empty={emptyWords(is_unknown, search.q)}
        foot={<IdentityLegend keys={identityKeysOf(rows)} />}
      />
    </Panel>
  )
}

function emptyWords(is_unknown: boolean, q: string | undefined): string {
  if (is_unknown) return 'Which crawlers came is unknown: nothing was watched.'
  return q === undefined
    ? 'No crawler was observed in the time that was watched.'
    : `No crawler is named like ${JSON.stringify(q)}.`
}
