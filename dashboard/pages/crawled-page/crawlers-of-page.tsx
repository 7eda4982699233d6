import type { PageDetail } from '../../../src/contract/dashboard-api/index.ts'
import { IdentityBar, IdentityLegend, identitiesOf, identityKeysOf } from '../../charts/identity-bar.tsx'
import { PurposeMark } from '../../charts/mark.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { SaveCsv } from '../../controls/save-csv.tsx'
import { Value } from '../../evidence/value.tsx'
import { filterOf, searchOfFilter } from '../../read/search.ts'
import { useCrawlerNames } from '../../read/use-crawler-names.ts'
import { useReportSearch, useSiteId } from '../../read/use-report.ts'
import { Panel } from '../../states/panel.tsx'
import { csvOf } from '../../tables/csv.ts'
import { DataTable } from '../../tables/data-table.tsx'
import { ROW_LINK } from '../../tables/path-text.tsx'
import { type Column, sorted } from '../../tables/table-types.ts'
import { useSort } from '../../tables/use-sort.ts'
import { shortText } from '../../words/foreign-text.ts'
import { statusesText } from '../../words/outcomes.ts'
import { PURPOSE_WORDS } from '../../words/purposes.ts'

type CrawlerOfPage = PageDetail['crawlers'][number]

/** The crawlers that requested the page, how certain their identity is, and the statuses that they got. */
export function CrawlersOfPage({ answer }: { answer: PageDetail }) {
  const site = useSiteId()
  const filter = filterOf(useReportSearch())
  const columns = columnsFor(useCrawlerNames(), site, searchOfFilter(filter))
  const { sort, onSort } = useSort()
  return (
    <Panel
      title="Crawlers"
      actions={
        <SaveCsv
          label="Crawlers"
          file_name="page-crawlers"
          csv={() => csvOf(answer.meta, columns, sorted(answer.crawlers, columns, sort))}
        />
      }
    >
      <DataTable
        caption="Crawlers that requested the page, most requests first"
        columns={columns}
        rows={answer.crawlers}
        rowKey={({ crawler_id }) => crawler_id}
        total={answer.observed_request_count === null ? null : answer.crawlers.length}
        {...{ sort, onSort }}
        api_order="requests"
        empty={
          answer.observed_request_count === null
            ? 'Which crawlers requested it is unknown: no source covered this window.'
            : 'No crawler was observed requesting it in the watched time.'
        }
      />
      {answer.crawlers.length > 0 && (
        <div className="px-8 pb-6 max-tablet:px-6">
          <IdentityLegend keys={identityKeysOf(answer.crawlers.map(({ identities }) => identitiesOf(identities)))} />
        </div>
      )}
    </Panel>
  )
}

const columnsFor = (
  nameOf: (crawler_id: string) => string,
  site: string,
  search: Readonly<Record<string, string>>,
): Column<CrawlerOfPage>[] => [
  {
    key: 'name',
    head: 'Crawler',
    sort: ({ crawler_id }) => nameOf(crawler_id).toLowerCase(),
    csv: { name: 'crawler_id', value: ({ crawler_id }) => crawler_id },
    cell: ({ crawler_id }) => (
      <PageLink
        to="/sites/$site/crawlers/$crawler"
        params={{ site, crawler: crawler_id }}
        search={search}
        className={`${ROW_LINK} font-medium`}
      >
        {shortText(nameOf(crawler_id))}
      </PageLink>
    ),
  },
  {
    key: 'purpose',
    head: 'Purpose',
    csv: { name: 'purpose', value: ({ purpose }) => purpose },
    cell: ({ purpose }) => (
      <span className="inline-flex items-center gap-5 whitespace-nowrap text-ink2">
        <PurposeMark purpose={purpose} />
        {PURPOSE_WORDS[purpose] ?? purpose}
      </span>
    ),
  },
  {
    key: 'statuses',
    head: 'Statuses',
    phone: 'tag',
    cell: ({ http_outcomes }) => <span className="text-small text-ink2">{statusesText(http_outcomes)}</span>,
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
    key: 'identity',
    head: 'Identity',
    phone: 'bar',
    width: 'w-66 tablet:pl-10 max-tablet:w-50',
    cell: ({ identities }) => <IdentityBar row={identitiesOf(identities)} />,
  },
]
