import { useQuery } from '@tanstack/react-query'
import type { AnalyticsPages, AnalyticsSources } from '../../../src/contract/site-api/index.ts'
import { BarList } from '../../charts/bar-list.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { Value } from '../../evidence/value.tsx'
import { readQuery } from '../../read/queries.ts'
import { filterOf, searchOfFilter } from '../../read/search.ts'
import { useReportSearch, useSiteId } from '../../read/use-report.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { DataTable } from '../../tables/data-table.tsx'
import { pageColumn } from '../../tables/page-columns.tsx'
import type { Column } from '../../tables/table-types.ts'
import { CHANNEL_WORDS, channelColor } from '../../words/tracker.ts'

const SHOWN = 5

export function SourcesPanel() {
  const site = useSiteId()
  const filter = filterOf(useReportSearch())
  const query = useQuery(readQuery('getAnalyticsSources', { site, window: filter.window }))
  return (
    <Panel
      title="Channels"
      note="sessions"
      actions={
        <PageLink
          to="/sites/$site/analytics-sources"
          params={{ site }}
          search={searchOfFilter(filter)}
          className="link mr-3 text-dense"
        >
          All
        </PageLink>
      }
    >
      <Async query={query} skeleton={<SkeletonRows rows={SHOWN} />}>
        {(answer) => (
          <PanelBody>
            <TopChannels answer={answer} />
          </PanelBody>
        )}
      </Async>
    </Panel>
  )
}

export function TopChannels({ answer: { acquisition } }: { answer: AnalyticsSources }) {
  if (acquisition === null) return <p className="text-ink2">Where sessions came from is unknown.</p>
  if (acquisition.length === 0) return <p className="text-ink2">No session was observed.</p>
  const total = acquisition.reduce((sum, { sessions }) => sum + sessions, 0)
  const rows = acquisition.toSorted((a, b) => b.sessions - a.sessions).slice(0, SHOWN)
  return (
    <BarList
      unit="sessions"
      total={total}
      rows={rows.map(({ channel, sessions }) => ({
        key: channel,
        label: CHANNEL_WORDS[channel],
        count: sessions,
        color: channelColor(channel),
      }))}
    />
  )
}

type PageRow = AnalyticsPages['pages'][number]

const COLUMNS: Column<PageRow>[] = [
  pageColumn({ of: ({ hostname, path }) => ({ host: hostname, path }), length: 56 }),
  {
    key: 'pageviews',
    head: 'Pageviews',
    is_number: true,
    phone: 'value',
    cell: ({ pageviews }) => <Value value={pageviews} />,
  },
  { key: 'sessions', head: 'Sessions', is_number: true, cell: ({ sessions }) => <Value value={sessions} /> },
]

export function PagesPanel() {
  const site = useSiteId()
  const filter = filterOf(useReportSearch())
  const query = useQuery(readQuery('getAnalyticsPages', { site, window: filter.window }))
  return (
    <Panel title="Visited pages">
      <Async query={query} skeleton={<SkeletonRows rows={SHOWN} />}>
        {({ pages, meta, summary }) => (
          <DataTable
            caption="Pages with the most pageviews"
            columns={COLUMNS}
            rows={pages.slice(0, SHOWN)}
            rowKey={({ hostname, path }) => `${hostname}${path}`}
            total={meta.pagination.total_count}
            api_order="pageviews"
            empty={
              summary.page_count === null
                ? 'Which pages were visited is unknown.'
                : 'No page was visited in the collected time.'
            }
            foot={
              <PageLink to="/sites/$site/pages" params={{ site }} search={searchOfFilter(filter)}>
                All pages
              </PageLink>
            }
          />
        )}
      </Async>
    </Panel>
  )
}
