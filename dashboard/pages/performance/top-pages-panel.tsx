import type { UseQueryResult } from '@tanstack/react-query'
import type { TopPages } from '../../../src/contract/site-api/index.ts'
import { PageLink } from '../../controls/page-link.tsx'
import { SaveCsv } from '../../controls/save-csv.tsx'
import { filterOf, searchOfFilter } from '../../read/search.ts'
import { useReportSearch, useSiteId } from '../../read/use-report.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel } from '../../states/panel.tsx'
import { csvOf } from '../../tables/csv.ts'
import { DataTable } from '../../tables/data-table.tsx'
import { counted } from '../../words/numbers.ts'
import { pageColumns } from '../top-pages/columns.tsx'
import { TOP_PAGES } from './parts.ts'
import { unknownWords } from './purposes.ts'

export function TopPagesPanel({ pages }: { pages: UseQueryResult<TopPages> }) {
  const site = useSiteId()
  const search = searchOfFilter(filterOf(useReportSearch()))
  const columns = pageColumns({ site, search })
  const answer = pages.data
  return (
    <Panel
      title="Top pages"
      note={
        answer === undefined || answer.total_count === null
          ? undefined
          : counted(answer.total_count, 'page observed', 'pages observed')
      }
      actions={
        answer !== undefined && (
          <SaveCsv label="Top pages" file_name="top-pages" csv={() => csvOf(answer.meta, columns, answer.pages)} />
        )
      }
    >
      <Async query={pages} skeleton={<SkeletonRows rows={TOP_PAGES} />}>
        {({ meta, pages: rows, total_count, truncated }) => (
          <DataTable
            caption="Pages with the most requests"
            columns={columns}
            rows={rows}
            rowKey={({ host, path }) => `${host}${path}`}
            total={total_count}
            truncated={truncated}
            api_order="requests"
            empty={total_count === null ? unknownWords('Which pages were requested', meta) : 'No page was requested.'}
            foot={
              <PageLink to="/sites/$site/top-pages" params={{ site }} search={search}>
                All pages
              </PageLink>
            }
          />
        )}
      </Async>
    </Panel>
  )
}
