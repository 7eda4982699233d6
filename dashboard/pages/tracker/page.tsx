import { PageLink } from '../../controls/page-link.tsx'
import { useSiteId } from '../../read/use-report.ts'
import { useKeptSearch } from '../../shell/kept-search.ts'
import { PageTitle } from '../../shell/title.tsx'
import { useSite } from '../../shell/use-site.ts'
import { Async, hasFailed, SkeletonBox } from '../../states/async.tsx'
import { EnableTracker, Snippet } from '../../states/install-panel.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { PanelColumn, PanelColumns } from '../../states/report-page.tsx'
import { useTrackerCoverage } from '../../states/tracker-page.tsx'
import { useTracker } from '../../states/use-tracker.ts'
import { HintsPanel } from './hints-panel.tsx'
import { KeysPanel } from './keys-panel.tsx'
import { StatePanel } from './state-panel.tsx'
import { SwitchPanel } from './switch-panel.tsx'

/** Is it collecting? */
export function TrackerSetupPage() {
  const site_id = useSiteId()
  const keptFor = useKeptSearch()
  const site = useSite()
  const { query, is_never_enabled } = useTracker()
  const { query: coverage } = useTrackerCoverage()
  return (
    <div className="space-y-8">
      <PageTitle
        title="Tracker"
        site={site?.root_domain}
        above={
          <PageLink
            to="/sites/$site/overview"
            params={{ site: site_id }}
            search={keptFor('/sites/$site/overview')}
            className="hover:underline"
          >
            Visits
          </PageLink>
        }
      >
        Tracker
      </PageTitle>
      {is_never_enabled ? (
        <Panel title="Not installed">
          <EnableTracker />
        </Panel>
      ) : (
        <Async
          query={query}
          skeleton={
            <Panel title="Collection">
              <SkeletonBox height={160} />
            </Panel>
          }
        >
          {(tracker) => (
            <PanelColumns>
              <PanelColumn>
                <StatePanel tracker={tracker} coverage={hasFailed(coverage) ? null : coverage.data} />
                <Panel
                  title="Snippet"
                  note={
                    tracker.state === 'disabled'
                      ? 'pages can keep it; nothing is collected while the tracker is switched off'
                      : 'one line in the head of every page'
                  }
                >
                  <PanelBody>
                    <Snippet tracker={tracker} />
                    <p className="mt-4 text-small text-ink2">The key in it is public. It is not a secret.</p>
                  </PanelBody>
                </Panel>
                <KeysPanel tracker={tracker} />
                {tracker.state === 'enabled' && <HintsPanel tracker={tracker} />}
              </PanelColumn>
              <PanelColumn>
                <SwitchPanel tracker={tracker} />
              </PanelColumn>
            </PanelColumns>
          )}
        </Async>
      )}
    </div>
  )
}
