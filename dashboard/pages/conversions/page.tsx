import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnalyticsConversions } from '../../../src/contract/site-api/index.ts'
import { PageLink } from '../../controls/page-link.tsx'
import { ReportExport } from '../../controls/report-export.tsx'
import { WindowPicker } from '../../controls/window-picker.tsx'
import { Drawer } from '../../forms/dialog.tsx'
import { readQuery } from '../../read/queries.ts'
import { filterOf, limitOf, searchOfFilter } from '../../read/search.ts'
import { useReportSearch, useSiteId } from '../../read/use-report.ts'
import { useKeptSearch } from '../../shell/kept-search.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { DefinitionsPanel } from '../../states/definitions-panel.tsx'
import { Panel } from '../../states/panel.tsx'
import { TrackerPage } from '../../states/tracker-page.tsx'
import { shortText } from '../../words/foreign-text.ts'
import { type ConversionRow, conversionColumns } from './columns.tsx'
import { ConversionSources } from './sources.tsx'
import { ConversionTabs } from './tabs.tsx'

/** What counts as a success, and how often did it happen? */
export function ConversionsPage() {
  const site = useSiteId()
  const keptFor = useKeptSearch()
  const search = useReportSearch()
  const input = { site, window: filterOf(search).window, ...limitOf(search) }
  const query = useQuery(readQuery('getAnalyticsConversions', input))
  return (
    <TrackerPage
      title="Conversions"
      meta={query.data?.meta}
      controls={
        <>
          <WindowPicker />
          <ReportExport id="getAnalyticsConversions" input={input} />
          <PageLink
            to="/sites/$site/conversions/new"
            params={{ site }}
            search={keptFor('/sites/$site/conversions/new')}
            className="control"
          >
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
  const search = searchOfFilter(filterOf(useReportSearch()))
  const [opened, setOpened] = useState<ConversionRow | null>(null)
  return (
    <DefinitionsPanel
      title="Revisions"
      what="conversion"
      note="one row per revision: numbers stay with their revision"
      caption="Conversions by revision"
      columns={conversionColumns({ site, search, onSources: setOpened })}
      rows={conversions}
      rowKey={({ revision_id }) => revision_id}
      pagination={meta.pagination}
      empty="No conversion is defined yet."
      action="Create one"
      to="/sites/$site/conversions/new"
    >
      {opened !== null && (
        <Drawer
          title={`Sources of ${shortText(opened.name)}, revision ${opened.revision}`}
          is_open
          onClose={() => setOpened(null)}
        >
          <ConversionSources row={opened} meta={meta} />
        </Drawer>
      )}
    </DefinitionsPanel>
  )
}
