import { useState } from 'react'
import { Button } from '../../controls/button.tsx'
import { ConfirmByTyping } from '../../forms/confirm-by-typing.tsx'
import { useChange } from '../../read/use-change.ts'
import { useSiteId } from '../../read/use-report.ts'
import { announce } from '../../shell/announce.tsx'
import { useSite } from '../../shell/use-site.ts'
import { EnableAgain, type Tracker } from '../../states/install-panel.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { instantText } from '../../words/days.ts'
import { ownersOnly } from '../../words/refusals.ts'

/** Switches collection off and on again; the time between is a gap. */
export function SwitchPanel({ tracker }: { tracker: Tracker }) {
  const site = useSiteId()
  const forbidden = ownersOnly(useSite()?.role)
  const disable = useChange('tracker.disable', { changes: ['tracker.show', 'getTrackerCoverage'] })
  const [is_open, setOpen] = useState(false)
  if (tracker.state === 'disabled') {
    return (
      <Panel
        title="Switched off"
        note={tracker.disabled_at === null ? undefined : `since ${instantText(tracker.disabled_at)} UTC`}
      >
        <EnableAgain />
      </Panel>
    )
  }
  return (
    <Panel title="Switched on" note={`since ${instantText(tracker.enabled_at)} UTC`}>
      <PanelBody>
        <Button forbidden={forbidden} onClick={() => setOpen(true)}>
          Switch it off
        </Button>
        {is_open && (
          <ConfirmByTyping
            title="Switch the tracker off"
            expected={null}
            action="Switch it off"
            is_open
            onClose={() => setOpen(false)}
            onConfirm={async () => {
              await disable.mutateAsync({ site })
              announce('The tracker is switched off.')
            }}
          >
            Nothing is collected until it is switched on again. The days between are gaps: unknown, not zero. Collected
            evidence is kept.
          </ConfirmByTyping>
        )}
      </PanelBody>
    </Panel>
  )
}
