import type { AnalyticsPages } from '../../../src/contract/site-api/index.ts'
import { PageLink } from '../../controls/page-link.tsx'
import { Unknown, Value } from '../../evidence/value.tsx'
import { filterOf, searchOfFilter } from '../../read/search.ts'
import { useReportSearch, useSiteId } from '../../read/use-report.ts'
import { pageColumn, requestsColumn } from '../../tables/page-columns.tsx'
import type { Column } from '../../tables/table-types.ts'
import { instantText } from '../../words/days.ts'
import { fullCount } from '../../words/numbers.ts'

export type PageRow = AnalyticsPages['pages'][number]
type Pattern = AnalyticsPages['crawler_patterns'][number]

const number = (key: string, head: string, value: (row: PageRow) => number | null): Column<PageRow> => ({
  key,
  head,
  is_number: true,
  sort: value,
  cell: (row) => <Value value={value(row)} />,
})

const ofVisited = ({ hostname, path }: Pick<PageRow, 'hostname' | 'path'>) => ({ host: hostname, path })

/** Visits, then crawler requests; they come from different kinds of evidence. */
export const PAGE_COLUMNS: Column<PageRow>[] = [
  pageColumn({ of: ofVisited }),
  { ...number('pageviews', 'Pageviews', ({ pageviews }) => pageviews), phone: 'value' },
  number('sessions', 'Sessions', ({ sessions }) => sessions),
  number('entries', 'Entries', ({ entries }) => entries),
  number('exits', 'Exits', ({ exits }) => exits),
  number('conversions', 'Conversions', ({ conversions }) => conversions),
  {
    ...number('requests', 'Crawler requests', ({ crawler }) => crawler.observed_request_count),
    phone: 'bar',
    cell: ({ crawler, hostname, path }) => (
      <>
        <CrawlerRequests count={crawler.observed_request_count} host={hostname} path={path} />
        <span className="tablet:hidden"> crawler requests</span>
        {crawler.hidden_request_count !== null && crawler.hidden_request_count > 0 && (
          <span
            className="block text-small text-ink3"
            title="Requests of purposes that this page leaves out, such as training."
          >
            {fullCount(crawler.hidden_request_count)} hidden
          </span>
        )}
      </>
    ),
  },
  number('crawlers', 'Crawlers', ({ crawler }) => crawler.observed_crawler_count),
  {
    key: 'observed',
    head: 'Last observed, UTC',
    width: 'tablet:pl-12',
    sort: ({ crawler }) => crawler.last_observed_at,
    cell: ({ crawler }) => <LastObserved {...crawler} />,
  },
]

/** A link to the crawler requests of the page. */
function CrawlerRequests({ count, host, path }: { count: number | null; host: string; path: string }) {
  const site = useSiteId()
  const filter = filterOf(useReportSearch())
  if (count === null || count === 0) return <Value value={count} />
  return (
    <PageLink
      to="/sites/$site/top-pages/one"
      params={{ site }}
      search={{ ...searchOfFilter(filter), host, path } as Record<string, string>}
    >
      <Value value={count} />
    </PageLink>
  )
}

/** Null if no source covered the page, and if one covered it and observed no crawler: only the first is unknown. */
function LastObserved({ last_observed_at, observed_request_count }: PageRow['crawler']) {
  if (last_observed_at !== null) {
    return <span className="text-small whitespace-nowrap text-ink2">{instantText(last_observed_at)}</span>
  }
  return observed_request_count === null ? <Unknown /> : <span className="text-small text-ink3">not observed</span>
}

export const PATTERN_COLUMNS: Column<Pattern>[] = [
  pageColumn({ of: ofVisited, head: 'Pattern', length: 72 }),
  { ...requestsColumn(), head: 'Crawler requests' },
  {
    key: 'crawlers',
    head: 'Crawlers',
    is_number: true,
    cell: ({ observed_crawler_count }) => <Value value={observed_crawler_count} />,
  },
  {
    key: 'observed',
    head: 'Last observed, UTC',
    width: 'tablet:pl-12',
    cell: ({ last_observed_at }) => (
      <span className="text-small whitespace-nowrap text-ink2">{instantText(last_observed_at)}</span>
    ),
  },
]
