import type { CrawlerAnswer } from '../../../src/contract/site-api/index.ts'
import { SaveCsv } from '../../controls/save-csv.tsx'
import { Value } from '../../evidence/value.tsx'
import { useReportSearch, useSetSearch } from '../../read/use-report.ts'
import { Panel } from '../../states/panel.tsx'
import { csvOf } from '../../tables/csv.ts'
import { DataTable } from '../../tables/data-table.tsx'
import { PathText, RowCopy } from '../../tables/path-text.tsx'
import { type Column, sortOf } from '../../tables/table-types.ts'
import { fullCount } from '../../words/numbers.ts'
import { statusText } from '../../words/outcomes.ts'

type CrawledPage = CrawlerAnswer['pages'][number]

const columns: Column<CrawledPage>[] = [
  {
    key: 'page',
    head: 'Page',
    sort: ({ host, path }) => `${host}${path}`,
    csv: { name: 'path', value: ({ path }) => path },
    cell: ({ host, path }) => (
      <>
        <PathText host={host} path={path} length={48} />
        <RowCopy text={`${host}${path}`} />
      </>
    ),
  },
  {
    key: 'statuses',
    head: 'Statuses',
    phone: 'tag',
    cell: ({ statuses }) => <span className="text-small text-ink2">{statuses.map(statusText).join(' · ')}</span>,
  },
  {
    key: 'requests',
    head: 'Requests',
    is_number: true,
    phone: 'value',
    sort: ({ observed_request_count }) => observed_request_count,
    csv: { name: 'observed_request_count', value: ({ observed_request_count }) => observed_request_count },
    cell: ({ observed_request_count }) => <Value value={observed_request_count} />,
  },
  {
    key: 'responses',
    head: 'Responses observed',
    is_number: true,
    sort: ({ observed_response_count }) => observed_response_count,
    csv: { name: 'observed_response_count', value: ({ observed_response_count }) => observed_response_count },
    cell: ({ observed_response_count, observed_request_count }) =>
      observed_response_count === 0 ? (
        <span className="text-ink2">none of {fullCount(observed_request_count)}</span>
      ) : (
        <Value value={observed_response_count} />
      ),
  },
]

/** What the crawler asked for, with the statuses it got. */
export function CrawlerPages({ answer }: { answer: CrawlerAnswer }) {
  const { sort } = useReportSearch()
  const setSearch = useSetSearch()
  return (
    <Panel
      title="Pages"
      actions={
        <SaveCsv
          label="Pages"
          file_name={`${answer.crawler_id}-pages`}
          csv={() => csvOf(answer.meta, columns, answer.pages)}
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
        sort={sortOf(sort)}
        onSort={({ key, descending }) => setSearch({ sort: `${descending ? '-' : ''}${key}` }, { replace: true })}
        api_order="requests"
        empty={
          answer.total_count === null
            ? 'Its pages are unknown: nothing was watched.'
            : 'Not observed in the watched time.'
        }
      />
    </Panel>
  )
}
