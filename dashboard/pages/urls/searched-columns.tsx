import type { UrlReport } from '../../../src/contract/account-api/index.ts'
import { PageLink } from '../../controls/page-link.tsx'
import { Value } from '../../evidence/value.tsx'
import type { BrandSearch } from '../../read/brand-search.ts'
import { ROW_LINK } from '../../tables/path-text.tsx'
import type { Column } from '../../tables/table-types.ts'
import { positionText } from '../../words/brand.ts'
import { middleCut, shortText } from '../../words/foreign-text.ts'
import { fullCount, percent } from '../../words/numbers.ts'

type Rows = UrlReport['rows'][number]
export type SearchedRow = Extract<Rows, { page: string }> | Extract<Rows, { query: string }>

export const searchedColumns = (brand: string, search: BrandSearch): Column<SearchedRow>[] => [
  {
    key: 'name',
    head: search.dimension === 'query' ? 'Query' : 'Page',
    csv: {
      name: search.dimension === 'query' ? 'query' : 'page',
      value: (row) => ('query' in row ? row.query : row.page),
    },
    cell: (row) =>
      'query' in row ? (
        shortText(row.query)
      ) : (
        <>
          <bdi dir="ltr" className="font-mono text-code">
            <PageLink
              to="/brands/$brand/urls"
              params={{ brand }}
              search={{ ...search, offset: '', q: '', dimension: 'query', page: row.page } as never}
              className={ROW_LINK}
            >
              {middleCut(row.page.replace(/^https?:\/\//i, ''), 72)}
            </PageLink>
          </bdi>
          <AiReports row={row} />
        </>
      ),
  },
  {
    key: 'clicks',
    head: 'Clicks',
    is_number: true,
    phone: 'value',
    csv: { name: 'clicks', value: ({ clicks }) => clicks },
    cell: ({ clicks }) => <Value value={clicks} />,
  },
  {
    key: 'impressions',
    head: 'Impressions',
    is_number: true,
    csv: { name: 'impressions', value: ({ impressions }) => impressions },
    cell: ({ impressions }) => <Value value={impressions} />,
  },
  {
    key: 'rate',
    head: 'Click-through',
    is_number: true,
    phone: 'tag',
    csv: { name: 'click_through', value: ({ click_through }) => click_through.value },
    cell: ({ click_through }) => <Value value={click_through.value} format={percent} />,
  },
  {
    key: 'position',
    head: 'Mean position',
    is_number: true,
    phone: 'bar',
    csv: { name: 'average_position', value: ({ average_position }) => average_position.value },
    cell: ({ average_position }) => <Value value={average_position.value} format={positionText} />,
  },
  {
    key: 'days',
    head: 'Days',
    is_number: true,
    csv: { name: 'days', value: ({ days }) => days },
    cell: ({ days }) => <Value value={days} />,
  },
]

/** Reports of search engines about AI answers that used the page. */
const AiReports = ({ row: { ai } }: { row: Extract<Rows, { page: string }> }) =>
  ai.length === 0 ? null : (
    <span className="block text-small text-ink2">
      {ai
        .map(({ kind, source, citations, impressions }) => {
          const count = kind === 'ai_citations' ? citations : impressions
          const what = kind === 'ai_citations' ? 'AI citations' : 'AI impressions'
          return `${count === null ? 'unknown' : fullCount(count)} ${what} (${source})`
        })
        .join(', ')}
    </span>
  )
