import type { Crawler } from '../../../src/contract/site-api/index.ts'
import type { Window } from '../../../src/contract/vocabulary.ts'
import { IdentityBar } from '../../charts/identity-bar.tsx'
import { PurposeMark } from '../../charts/mark.tsx'
import { Spark } from '../../charts/spark.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import type { DayEvidence } from '../../evidence/day.ts'
import { Unknown, Value } from '../../evidence/value.tsx'
import type { Search } from '../../read/search.ts'
import { requestsColumn, shareColumn } from '../../tables/page-columns.tsx'
import { ROW_LINK } from '../../tables/path-text.tsx'
import type { Column } from '../../tables/table-types.ts'
import { shortText } from '../../words/foreign-text.ts'
import { IDENTITY_ORDER, SCOPE_WORDS } from '../../words/identities.ts'
import { PURPOSE_COLORS, PURPOSE_WORDS } from '../../words/purposes.ts'

interface CrawlerColumnsProps {
  site: string
  window: Window
  /** Kept when a crawler is opened. */
  search: Search
  days: readonly DayEvidence[] | null
  /** Undefined while it is read, null if it could not be read. */
  by_crawler: ReadonlyMap<string, ReadonlyMap<string, number>> | null | undefined
}

const NO_DAYS: ReadonlyMap<string, number> = new Map()

export function crawlerColumns({ site, window, search, days, by_crawler }: CrawlerColumnsProps): Column<Crawler>[] {
  return [
    {
      key: 'name',
      head: 'Crawler',
      sort: (row) => nameOf(row).toLowerCase(),
      csv: [
        { name: 'crawler_id', value: ({ crawler_id }) => crawler_id },
        { name: 'display_name', value: ({ display_name }) => display_name },
        { name: 'platform', value: ({ platform }) => platform },
      ],
      cell: (row) => (
        <>
          <PageLink
            to="/sites/$site/crawlers/$crawler"
            params={{ site, crawler: row.crawler_id }}
            search={search}
            className={`${ROW_LINK} font-medium tablet:[overflow-wrap:normal]`}
          >
            {shortText(nameOf(row))}
          </PageLink>{' '}
          <span className="text-small text-ink3">{row.platform === null ? '' : shortText(row.platform)}</span>
        </>
      ),
    },
    {
      key: 'purpose',
      head: 'Purpose',
      phone: 'tag',
      sort: ({ purpose }) => PURPOSE_WORDS[purpose],
      csv: [
        { name: 'purpose', value: ({ purpose }) => purpose },
        { name: 'also_declared', value: ({ also_declared }) => also_declared.join(' ') },
      ],
      cell: ({ purpose, also_declared }) => (
        <span className="inline-flex items-center gap-5 whitespace-nowrap text-ink2">
          <PurposeMark purpose={purpose} />
          {PURPOSE_WORDS[purpose] ?? purpose}
          {also_declared.length > 0 && (
            <span className="text-small text-ink3" title={`The vendor also declares: ${also_declared.join(', ')}`}>
              +{also_declared.length}
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'scope',
      head: 'Scope',
      sort: ({ scope }) => SCOPE_WORDS[scope],
      csv: { name: 'scope', value: ({ scope }) => scope },
      cell: ({ scope }) => <span className="whitespace-nowrap text-ink2">{SCOPE_WORDS[scope] ?? scope}</span>,
    },
    requestsColumn(),
    shareColumn(),
    {
      key: 'days',
      head: `${Number.parseInt(window, 10)} days`,
      width: 'w-49',
      cell: (row) =>
        by_crawler === null ? (
          <Unknown />
        ) : (
          days !== null &&
          by_crawler !== undefined && (
            <Spark
              days={days}
              counts={by_crawler.get(row.crawler_id) ?? NO_DAYS}
              color={PURPOSE_COLORS[row.purpose]}
              label={`Requests of ${nameOf(row)} by day`}
            />
          )
        ),
    },
    {
      key: 'identity',
      head: 'Identity',
      phone: 'bar',
      width: 'w-58 max-tablet:w-50',
      csv: [
        { name: 'identity', value: ({ identity }) => identity },
        ...IDENTITY_ORDER.map((identity) => ({
          name: `identities.${identity}`,
          value: ({ identities }: Crawler) => identities[identity],
        })),
      ],
      cell: (row) => <IdentityBar row={row} />,
    },
    {
      key: 'impostors',
      head: 'Impostors',
      is_number: true,
      sort: ({ impostor_request_count }) => impostor_request_count,
      csv: { name: 'impostor_request_count', value: ({ impostor_request_count }) => impostor_request_count },
      cell: ({ impostor_request_count }) => <Value value={impostor_request_count} />,
    },
  ]
}

export const nameOf = ({ display_name, crawler_id }: Pick<Crawler, 'display_name' | 'crawler_id'>) =>
  display_name ?? crawler_id
