import { useQuery } from '@tanstack/react-query'
import { ReportExport } from '../../controls/report-export.tsx'
import { WindowPicker } from '../../controls/window-picker.tsx'
import { readQuery } from '../../read/queries.ts'
import { filterOf } from '../../read/search.ts'
import { useReportSearch, useSiteId } from '../../read/use-report.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel } from '../../states/panel.tsx'
import { PanelColumn, PanelColumns } from '../../states/report-page.tsx'
import { TrackerPage } from '../../states/tracker-page.tsx'
import { AssistantsPanel } from './assistants-panel.tsx'
import { ChannelsPanel } from './channels-panel.tsx'
import { ReferrersPanel } from './referrers-panel.tsx'
import { UtmPanel } from './utm-panel.tsx'

/** What sends people? */
export function AcquisitionPage() {
  const site = useSiteId()
  const { window } = filterOf(useReportSearch())
  const sources = useQuery(readQuery('getAnalyticsSources', { site, window }))
  return (
    <TrackerPage
      title="Acquisition"
      meta={sources.data?.meta}
      controls={
        <>
          <WindowPicker />
          <ReportExport id="getAnalyticsSources" input={{ site, window }} />
        </>
      }
    >
      <Async
        query={sources}
        skeleton={
          <Panel title="Channels">
            <SkeletonRows rows={8} />
          </Panel>
        }
      >
        {(answer) => (
          <PanelColumns>
            <PanelColumn>
              <ChannelsPanel answer={answer} />
              <ReferrersPanel answer={answer} />
            </PanelColumn>
            <PanelColumn>
              <AssistantsPanel answer={answer} />
              <UtmPanel answer={answer} />
            </PanelColumn>
          </PanelColumns>
        )}
      </Async>
    </TrackerPage>
  )
}
