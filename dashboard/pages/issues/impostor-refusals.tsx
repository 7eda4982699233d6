import type { IssueList } from '../../../src/contract/dashboard-api/index.ts'
import { PageLink } from '../../controls/page-link.tsx'
import { Value } from '../../evidence/value.tsx'
import { useCrawlerNames } from '../../read/use-crawler-names.ts'
import { useSiteId } from '../../read/use-report.ts'
import { useKeptSearch } from '../../shell/kept-search.ts'
import { Panel } from '../../states/panel.tsx'
import { DataTable } from '../../tables/data-table.tsx'
import { PathText, ROW_LINK } from '../../tables/path-text.tsx'
import type { Column } from '../../tables/table-types.ts'
import { spanText } from '../../words/days.ts'
import { shortText } from '../../words/foreign-text.ts'

type Refused = IssueList['impostor_refusals'][number]

/** Refusals that affected only impostors. They are listed separately, because they harm no crawler. */
export function ImpostorRefusals({ rows }: { rows: readonly Refused[] }) {
  const site = useSiteId()
  const kept = useKeptSearch()('/sites/$site/top-pages/one')
  const nameOf = useCrawlerNames()
  if (rows.length === 0) return null
  const columns: Column<Refused>[] = [
    {
      key: 'page',
      head: 'Page',
      cell: ({ host, path }) => (
        <PageLink
          to="/sites/$site/top-pages/one"
          params={{ site }}
          search={{ ...kept, host, path }}
          className={ROW_LINK}
        >
          <PathText host={host} path={path} />
        </PageLink>
      ),
    },
    {
      key: 'crawler',
      head: 'Claimed to be',
      phone: 'tag',
      cell: ({ crawler_id }) => <span className="text-ink2">{shortText(nameOf(crawler_id))}</span>,
    },
    {
      key: 'days',
      head: 'Days, UTC',
      phone: 'bar',
      cell: ({ first_day, last_day }) => <span className="text-ink2">{spanText(first_day, last_day)}</span>,
    },
    {
      key: 'requests',
      head: 'Refused',
      is_number: true,
      phone: 'value',
      cell: ({ requests }) => <Value value={requests} />,
    },
  ]
  return (
    <Panel title="Refused impostors" note="claims that the vendor’s addresses refute; they open no issue">
      <DataTable
        caption="Refused requests of impostors only"
        columns={columns}
        rows={rows}
        rowKey={({ host, path, crawler_id }) => `${host}${path} ${crawler_id}`}
        total={rows.length}
        truncated={false}
      />
    </Panel>
  )
}
