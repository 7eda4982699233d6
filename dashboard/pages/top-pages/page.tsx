import { useQuery } from '@tanstack/react-query'
import type { TopPages } from '../../../src/contract/site-api/index.ts'
import { PurposeFilter } from '../../controls/purpose-filter.tsx'
import { SaveCsv } from '../../controls/save-csv.tsx'
import { Segments } from '../../controls/segments.tsx'
import { WindowPicker } from '../../controls/window-picker.tsx'
import { readQuery } from '../../read/queries.ts'
import { filterOf, limitOf, searchOfFilter } from '../../read/search.ts'
import { useReportInput, useReportSearch } from '../../read/use-report.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel } from '../../states/panel.tsx'
import { ReportPage } from '../../states/report-page.tsx'
import { csvOf } from '../../tables/csv.ts'
import { DataTable } from '../../tables/data-table.tsx'
import { FilterBox, matches, nothingMatches } from '../../tables/filter-box.tsx'
import { sorted } from '../../tables/table-types.ts'
import { useSort } from '../../tables/use-sort.ts'
import { PATH_CLASS_WORDS } from '../../words/outcomes.ts'
import { countsByPurpose, hiddenByPurpose, unknownWords } from '../performance/purposes.ts'
import { CLASSES, pagesQuery } from './classes.ts'
import { pageColumns } from './columns.tsx'

/** Which pages did crawlers request? */
export function TopPagesPage() {
  const input = useReportInput()
  const search = useReportSearch()
  const pages = useQuery(pagesQuery({ ...input, ...limitOf(search) }, search.group ?? CLASSES[0]))
  const crawlers = useQuery(readQuery('getCrawlers', input))
  const performance = useQuery(readQuery('getPerformance', input))
  return (
    <ReportPage
      title="Top crawled pages"
      controls={<WindowPicker />}
      filters={<PurposeFilter shown={countsByPurpose(crawlers.data)} hidden={hiddenByPurpose(performance.data)} />}
      metas={[pages.data?.meta]}
    >
      <Async
        query={pages}
        skeleton={
          <Panel title="Pages">
            <SkeletonRows rows={12} />
          </Panel>
        }
      >
        {(answer) => <PagesTable answer={answer} />}
      </Async>
    </ReportPage>
  )
}

function PagesTable({ answer: { meta, pages, total_count, truncated } }: { answer: TopPages }) {
  const { site } = useReportInput()
  const search = useReportSearch()
  const group = search.group ?? CLASSES[0]
  const { sort, onSort } = useSort()
  const columns = pageColumns({ site, search: searchOfFilter(filterOf(search)) })
  const rows = pages.filter(({ host, path }) => matches(search.q, `${host}${path}`))
  const { group: _group, ...others } = search
  const items = CLASSES.map((key) => ({
    key,
    label: key === 'all' ? 'All' : PATH_CLASS_WORDS[key],
    search: key === 'all' ? others : { ...others, group: key },
  }))
  return (
    <Panel
      title="Pages"
      controls={<Segments label="Kind of path" items={items} current={group} />}
      actions={
        <>
          <FilterBox label="Filter pages by address" rows={pages.length} />
          <SaveCsv label="Pages" file_name="top-pages" csv={() => csvOf(meta, columns, sorted(rows, columns, sort))} />
        </>
      }
    >
      <DataTable
        caption="Pages, most requests first"
        columns={columns}
        rows={rows}
        rowKey={({ host, path }) => `${host}${path}`}
        total={total_count}
        truncated={truncated}
        sort={sort}
        onSort={onSort}
        api_order="requests"
        empty={
          nothingMatches({ what: 'page', q: search.q, searched: pages.length, total: total_count }) ??
          (total_count === null ? unknownWords('Which pages were requested', meta) : 'No such page was requested.')
        }
      />
    </Panel>
  )
}
