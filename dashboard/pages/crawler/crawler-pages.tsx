import type { CrawlerAnswer } from '../../../src/contract/site-api/index.ts'
import { PageLink } from '../../controls/page-link.tsx'
import { SaveCsv } from '../../controls/save-csv.tsx'
import { Value } from '../../evidence/value.tsx'
import type { Search } from '../../read/search.ts'
import { filterOf, searchOfFilter } from '../../read/search.ts'
import { useReportSearch, useSiteId } from '../../read/use-report.ts'
import { Panel } from '../../states/panel.tsx'
import { csvOf } from '../../tables/csv.ts'
import { DataTable } from '../../tables/data-table.tsx'
import { pageColumn, requestsColumn, responsesColumn } from '../../tables/page-columns.tsx'
import { ROW_LINK } from '../../tables/path-text.tsx'
import { type Column, sorted } from '../../tables/table-types.ts'
import { useSort } from '../../tables/use-sort.ts'
import { failedOf, statusText } from '../../words/outcomes.ts'

type CrawledPage = CrawlerAnswer['pages'][number]

/** `search` is kept when a page is opened. */
const columnsFor = (site: string, search: Search): Column<CrawledPage>[] => [
  pageColumn({
    of: (row) => row,
    link: ({ host, path }, text) => (
      <PageLink
        to="/sites/$site/top-pages/one"
        params={{ site }}
        search={{ ...search, host, path }}
        className={ROW_LINK}
      >
        {text}
      </PageLink>
    ),
  }),
  {
    key: 'statuses',
    head: 'Statuses',
    phone: 'tag',
    cell: ({ statuses }) => <span className="text-small text-ink2">{statuses.map(statusText).join(' · ')}</span>,
  },
  requestsColumn(),
  {
    key: 'errors',
    head: 'Errors',
    is_number: true,
    sort: ({ statuses }) => failedOf(statuses),
    csv: { name: 'error_count', value: ({ statuses }) => failedOf(statuses) },
    cell: ({ statuses }) => <Value value={failedOf(statuses)} />,
  },
]

/** What the crawler requested, with the statuses it got. */
export function CrawlerPages({ answer }: { answer: CrawlerAnswer }) {
  const site = useSiteId()
  const columns = columnsFor(site, searchOfFilter(filterOf(useReportSearch())))
  const { sort, onSort } = useSort()
  return (
    <Panel
      title="Pages"
      actions={
        <SaveCsv
          label="Pages"
          file_name={`${answer.crawler_id}-pages`}
          csv={() => csvOf(answer.meta, [...columns, responsesColumn()], sorted(answer.pages, columns, sort))}
        />
      }
    >
      <DataTable
        caption={`Pages that ${answer.display_name} requested`}
        columns={columns}
        rows={answer.pages}
        rowKey={({ host, path }) => `${host}${path}`}
        total={answer.total_count}
        truncated={answer.truncated}
        {...{ sort, onSort }}
        api_order="requests"
        empty={
          answer.total_count === null
            ? 'Its pages are unknown: no source covered this window.'
            : 'Not observed in the watched time.'
        }
      />
    </Panel>
  )
}
