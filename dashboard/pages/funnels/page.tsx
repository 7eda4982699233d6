import { useQuery } from '@tanstack/react-query'
import type { FunnelList } from '../../../src/contract/site-api/index.ts'
import { SHORT_WINDOWS, type ShortWindow } from '../../../src/contract/vocabulary.ts'
import { PageLink } from '../../controls/page-link.tsx'
import { ReportExport } from '../../controls/report-export.tsx'
import { WindowPicker } from '../../controls/window-picker.tsx'
import { readQuery } from '../../read/queries.ts'
import { filterOf, limitOf, searchOfFilter } from '../../read/search.ts'
import { useReportSearch, useSiteId } from '../../read/use-report.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { DefinitionsPanel } from '../../states/definitions-panel.tsx'
import { Panel } from '../../states/panel.tsx'
import { TrackerPage } from '../../states/tracker-page.tsx'
import { funnelColumns } from './columns.tsx'

/** How far do sessions get in each funnel? */
export function FunnelsPage() {
  const site = useSiteId()
  const search = useReportSearch()
  const input = { site, window: filterOf(search).window as ShortWindow, ...limitOf(search) }
  const query = useQuery(readQuery('getAnalyticsFunnels', input))
  return (
    <TrackerPage
      title="Funnels"
      meta={query.data?.meta}
      controls={
        <>
          <WindowPicker allowed={SHORT_WINDOWS} />
          <ReportExport id="getAnalyticsFunnels" input={input} />
          <PageLink to="/sites/$site/funnels/new" params={{ site }} className="control">
            New funnel
          </PageLink>
        </>
      }
    >
      <Async
        query={query}
        skeleton={
          <Panel title="Funnels">
            <SkeletonRows rows={6} />
          </Panel>
        }
      >
        {(answer) => <FunnelsTable answer={answer} />}
      </Async>
    </TrackerPage>
  )
}

function FunnelsTable({ answer: { funnels, meta } }: { answer: FunnelList }) {
  const site = useSiteId()
  const search = searchOfFilter(filterOf(useReportSearch()))
  return (
    <DefinitionsPanel
      title="Funnels"
      what="funnel"
      note={`${meta.configuration.active_count} of 30 active`}
      caption="Funnels, active ones first"
      columns={funnelColumns({ site, search })}
      rows={funnels}
      rowKey={({ slug }) => slug}
      pagination={meta.pagination}
      empty="No funnel yet."
      action="Build one from visited pages"
      to="/sites/$site/funnels/new"
    />
  )
}
