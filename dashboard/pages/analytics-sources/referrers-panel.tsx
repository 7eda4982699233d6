import type { AnalyticsSources } from '../../../src/contract/site-api/index.ts'
import { Value } from '../../evidence/value.tsx'
import { useReportSearch } from '../../read/use-report.ts'
import { Panel } from '../../states/panel.tsx'
import { DataTable } from '../../tables/data-table.tsx'
import { FilterBox, matches, nothingMatches } from '../../tables/filter-box.tsx'
import type { Column } from '../../tables/table-types.ts'
import { useSort } from '../../tables/use-sort.ts'
import { shortText } from '../../words/foreign-text.ts'
import { CHANNEL_WORDS } from '../../words/tracker.ts'

type Referrer = AnalyticsSources['referrers']['rows'][number]

const COLUMNS: Column<Referrer>[] = [
  {
    key: 'host',
    head: 'Referrer',
    sort: ({ referrer_host }) => referrer_host,
    cell: ({ referrer_host }) => <span className="font-mono text-code">{shortText(referrer_host, 64)}</span>,
  },
  {
    key: 'channel',
    head: 'Channel',
    phone: 'tag',
    sort: ({ channel }) => CHANNEL_WORDS[channel],
    cell: ({ channel }) => <span className="text-ink2">{CHANNEL_WORDS[channel]}</span>,
  },
  {
    key: 'sessions',
    head: 'Sessions',
    is_number: true,
    phone: 'value',
    sort: ({ sessions }) => sessions,
    cell: ({ sessions }) => <Value value={sessions} />,
  },
  {
    key: 'pageviews',
    head: 'Pageviews',
    is_number: true,
    sort: ({ pageviews }) => pageviews,
    cell: ({ pageviews }) => <Value value={pageviews} />,
  },
]

/** Other sites with links that visitors followed. */
export function ReferrersPanel({ answer: { referrers, acquisition } }: { answer: AnalyticsSources }) {
  const search = useReportSearch()
  const found = referrers.rows.length
  const rows = referrers.rows.filter(({ referrer_host }) => matches(search.q, referrer_host))
  return (
    <Panel title="Referrers" actions={<FilterBox label="Filter referrers" rows={found} />}>
      <DataTable
        caption="Sites that linked here, most sessions first"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ referrer_host, channel }) => `${referrer_host} ${channel}`}
        total={referrers.total_count}
        truncated={referrers.truncated}
        {...useSort()}
        api_order="sessions"
        empty={
          nothingMatches({ what: 'referrer', q: search.q, searched: found, total: referrers.total_count }) ??
          (acquisition === null ? 'Which sites linked here is unknown.' : 'No session came from another site.')
        }
      />
    </Panel>
  )
}
