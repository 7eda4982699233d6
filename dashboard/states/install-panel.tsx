import { Button } from '../controls/button.tsx'
import { CodeBlock } from '../controls/code-block.tsx'
import { CheckIcon } from '../controls/icons.tsx'
import type { ReadOutput } from '../read/operations.ts'
import { useChange } from '../read/use-change.ts'
import { useSiteId } from '../read/use-report.ts'
import { useSite } from '../shell/use-site.ts'
import { instantText } from '../words/days.ts'
import { ownersOnly } from '../words/refusals.ts'
import { Async, SkeletonBox } from './async.tsx'
import { ErrorPanel } from './error-panel.tsx'
import { Panel, PanelBody } from './panel.tsx'
import { useTracker } from './use-tracker.ts'

export type Tracker = ReadOutput<'tracker.show'>

/** Instructions to install the tracker, and the first event as soon as it arrives. */
export function InstallPanel() {
  const { query, is_never_enabled } = useTracker()
  return (
    <Panel title={query.data?.state === 'disabled' ? 'The tracker is switched off' : 'Install the tracker'}>
      {is_never_enabled ? (
        <EnableTracker />
      ) : (
        <Async query={query} skeleton={<SkeletonBox height={120} />}>
          {(tracker) => (tracker.state === 'disabled' ? <EnableAgain /> : <InstallSteps tracker={tracker} />)}
        </Async>
      )}
    </Panel>
  )
}

/** Switches the tracker on; owners only. */
export function EnableTracker({ label = 'Switch the tracker on' }: { label?: string }) {
  const site = useSiteId()
  const role = useSite()?.role
  const enable = useChange('tracker.enable', {
    changes: ['tracker.show', 'getTrackerCoverage', 'getAnalyticsOverview'],
  })
  return (
    <PanelBody>
      <p className="mb-6 text-ink2">
        A script of less than 2 KiB on your pages reports which pages people view. It stores nothing in the browser.
      </p>
      <Button
        kind="primary"
        forbidden={ownersOnly(role)}
        disabled={enable.isPending}
        onClick={() => enable.mutate({ site })}
      >
        {label}
      </Button>
      {enable.error !== null && <ErrorPanel error={enable.error} onRetry={() => enable.mutate({ site })} />}
    </PanelBody>
  )
}

/** For a tracker that an owner switched off. */
export const EnableAgain = () => <EnableTracker label="Switch it on again" />

export function InstallSteps({ tracker }: { tracker: Tracker }) {
  return (
    <PanelBody>
      <ol className="space-y-8">
        <li>
          <p className="mb-4">Put this line into the head of every page.</p>
          <Snippet tracker={tracker} />
        </li>
        <li>
          <p className="mb-4">See the first event arrive.</p>
          <FirstEvent tracker={tracker} />
        </li>
      </ol>
    </PanelBody>
  )
}

export const Snippet = ({ tracker: { snippet } }: { tracker: Tracker }) =>
  snippet === null ? (
    <p className="text-ink2">All public keys are revoked. Create one below, and its snippet appears here.</p>
  ) : (
    <CodeBlock text={snippet} />
  )

/** Live: it is read every few seconds. */
export const FirstEvent = ({ tracker: { first_event_at } }: { tracker: Pick<Tracker, 'first_event_at'> }) => (
  <p role="status" className="flex items-center gap-4">
    {first_event_at === null ? (
      <>
        <span aria-hidden="true" className="h-6 w-6 rounded-full border border-dashed border-control" />
        Waiting for the first event. Open a page of your site and it appears here.
      </>
    ) : (
      <>
        <CheckIcon className="h-7 w-7 text-ok" />
        First event seen at {instantText(first_event_at)} UTC.
      </>
    )}
  </p>
)
