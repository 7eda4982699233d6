import { useQuery } from '@tanstack/react-query'
import { PageLink } from '../../controls/page-link.tsx'
import { ReportExport } from '../../controls/report-export.tsx'
import { WindowPicker } from '../../controls/window-picker.tsx'
import { readQuery } from '../../read/queries.ts'
import { filterOf } from '../../read/search.ts'
import { useReportSearch, useSiteId } from '../../read/use-report.ts'
import { useKeptSearch } from '../../shell/kept-search.ts'
import { InstallPanel } from '../../states/install-panel.tsx'
import { PanelColumn, PanelColumns } from '../../states/report-page.tsx'
import { TrackerPage } from '../../states/tracker-page.tsx'
import { VisitsByDayPanel } from './day-panel.tsx'
import { ExcludedPanel } from './excluded-panel.tsx'
import { VisitFigures } from './figures.tsx'
import { PagesPanel, SourcesPanel } from './top-panels.tsx'

/** How many visits? */
export function OverviewPage() {
  const site = useSiteId()
  const { window } = filterOf(useReportSearch())
  const keptFor = useKeptSearch()
  const overview = useQuery(readQuery('getAnalyticsOverview', { site, window }))
  const meta = overview.data?.meta
  const is_missing = meta !== undefined && ['uninstalled', 'awaiting_first_evidence'].includes(meta.measurement_state)
  return (
    <TrackerPage
      title="Visits"
      meta={meta}
      has_hint={false}
      controls={
        <>
          <WindowPicker />
          <ReportExport id="getAnalyticsOverview" input={{ site, window }} />
          <PageLink
            to="/sites/$site/tracker"
            params={{ site }}
            search={keptFor('/sites/$site/tracker')}
            className="control"
          >
            Tracker
          </PageLink>
        </>
      }
    >
      {is_missing && <InstallPanel />}
      <VisitFigures overview={overview} />
      <VisitsByDayPanel overview={overview} />
      <PanelColumns>
        <PagesPanel />
        <PanelColumn>
          <SourcesPanel />
          <ExcludedPanel overview={overview} />
        </PanelColumn>
      </PanelColumns>
    </TrackerPage>
  )
}
