import type { Page } from '../../../src/contract/site-api/index.ts'
import { PageLink } from '../../controls/page-link.tsx'
import { Value } from '../../evidence/value.tsx'
import type { Search } from '../../read/search.ts'
import { pageColumn, requestsColumn, responsesColumn, shareColumn } from '../../tables/page-columns.tsx'
import { ROW_LINK } from '../../tables/path-text.tsx'
import type { Column } from '../../tables/table-types.ts'

/** `search` is kept when a page is opened. */
export const pageColumns = ({ site, search }: { site: string; search: Search }): Column<Page>[] => [
  pageColumn({
    of: (row) => row,
    length: 72,
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
  requestsColumn(),
  shareColumn(),
  {
    key: 'crawlers',
    head: 'Crawlers',
    is_number: true,
    sort: ({ observed_crawler_count }) => observed_crawler_count,
    csv: { name: 'observed_crawler_count', value: ({ observed_crawler_count }) => observed_crawler_count },
    cell: ({ observed_crawler_count }) => <Value value={observed_crawler_count} />,
  },
  responsesColumn(),
]
