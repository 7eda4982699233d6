import type { Page } from '../../../src/contract/site-api/index.ts'
import { PageLink } from '../../controls/page-link.tsx'
import { Value } from '../../evidence/value.tsx'
import type { Search } from '../../read/search.ts'
import { PathText, ROW_LINK, RowCopy } from '../../tables/path-text.tsx'
import type { Column } from '../../tables/table-types.ts'
import { fullCount, percent } from '../../words/numbers.ts'

/** `search` is kept when a page is opened. */
export function pageColumns({ site, search }: { site: string; search: Search }): Column<Page>[] {
  return [
    {
      key: 'page',
      head: 'Page',
      sort: ({ host, path }) => `${host}${path}`,
      csv: { name: 'path', value: ({ path }) => path },
      cell: ({ host, path }) => (
        <>
          <PageLink
            to="/sites/$site/top-pages/one"
            params={{ site }}
            search={{ ...search, host, path }}
            className={ROW_LINK}
          >
            <PathText host={host} path={path} />
          </PageLink>
          <RowCopy text={`${host}${path}`} />
        </>
      ),
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
      key: 'share',
      head: 'Share',
      is_number: true,
      csv: { name: 'observed_share', value: ({ observed_share }) => observed_share },
      cell: ({ observed_share }) => (
        <span className="text-ink2">
          <Value value={observed_share} format={percent} />
        </span>
      ),
    },
    {
      key: 'crawlers',
      head: 'Crawlers',
      is_number: true,
      sort: ({ observed_crawler_count }) => observed_crawler_count,
      csv: { name: 'observed_crawler_count', value: ({ observed_crawler_count }) => observed_crawler_count },
      cell: ({ observed_crawler_count }) => <Value value={observed_crawler_count} />,
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
}
