import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnalyticsConversions } from '../../../src/contract/site-api/index.ts'
import { PageLink } from '../../controls/page-link.tsx'
import { ReportExport } from '../../controls/report-export.tsx'
import { WindowPicker } from '../../controls/window-picker.tsx'
import { Drawer } from '../../forms/dialog.tsx'
import { readQuery } from '../../read/queries.ts'
import { filterOf, searchOfFilter } from '../../read/search.ts'
import { useReportSearch, useSetSearch, useSiteId } from '../../read/use-report.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel } from '../../states/panel.tsx'
import { TrackerPage } from '../../states/tracker-page.tsx'
import { DataTable } from '../../tables/data-table.tsx'
import { sortOf } from '../../tables/table-types.ts'
import { shortText } from '../../words/strangers-text.ts'
import { type ConversionRow, conversionColumns } from './columns.tsx'
import { ConversionSources } from './sources.tsx'
import { ConversionTabs } from './tabs.tsx'

/** What counts as a success, and how often did it happen? */
export function ConversionsPage() {
  const site = useSiteId()
  const { window } = filterOf(useReportSearch())
  const query = useQuery(readQuery('getAnalyticsConversions', { site, window }))
  return (
    <TrackerPage
      title="Conversions"
      meta={query.data?.meta}
      controls={
        <>
          <WindowPicker />
          <ReportExport id="getAnalyticsConversions" input={{ site, window }} />
          <PageLink to="/sites/$site/conversions/new" params={{ site }} className="control">
            New conversion
          </PageLink>
        </>
      }
    >
      <ConversionTabs />
      <Async
        query={query}
        skeleton={
          <Panel title="Revisions">
            <SkeletonRows rows={6} />
          </Panel>
        }
      >
        {(answer) => <ConversionsTable answer={answer} />}
      </Async>
    </TrackerPage>
  )
}

function ConversionsTable({ answer: { conversions, meta } }: { answer: AnalyticsConversions }) {
  const site = useSiteId()
  const search = useReportSearch()
  const setSearch = useSetSearch()
  const [opened, setOpened] = useState<ConversionRow | null>(null)
  return (
    <Panel title="Revisions" note="a row a revision: numbers never move to another one">
      <DataTable
        caption="Conversions by revision"
        columns={conversionColumns({ site, search: searchOfFilter(filterOf(search)), onSources: setOpened })}
        rows={conversions}
        rowKey={({ revision_id }) => revision_id}
        total={meta.pagination.total_count}
        truncated={meta.pagination.truncated}
        sort={sortOf(search.sort)}
        onSort={({ key, descending }) => setSearch({ sort: `${descending ? '-' : ''}${key}` }, { replace: true })}
        empty={
          <span className="flex flex-wrap items-center gap-8">
            Nothing counts as a conversion yet.
            <PageLink to="/sites/$site/conversions/new" params={{ site }} className="control">
              Create one
            </PageLink>
          </span>
        }
      />
      {opened !== null && (
        <Drawer
          title={`Sources of ${shortText(opened.name)}, revision ${opened.revision}`}
          is_open
          onClose={() => setOpened(null)}
        >
          <ConversionSources row={opened} />
        </Drawer>
      )}
    </Panel>
  )
}
