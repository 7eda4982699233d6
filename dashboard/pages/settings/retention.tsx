import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CheckField } from '../../forms/check-field.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { wholeNumberFault } from '../../forms/number-fault.ts'
import { settingQuery } from '../../read/settings.ts'
import { useChange } from '../../read/use-change.ts'
import { useSiteId } from '../../read/use-report.ts'
import { NotForYou } from '../../settings/settings-page.tsx'
import { announce } from '../../shell/announce.tsx'
import { useMay } from '../../shell/use-may.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { counted } from '../../words/numbers.ts'
import { NumberForm } from './number-form.tsx'
import { SiteRetention } from './site-retention.tsx'
import { SiteSettings } from './site-settings.tsx'

/** The limits that the service sets. */
const MAX_FLOOR = 1_000_000

/** How long is evidence kept, and who is left out? */
export default function RetentionPage() {
  const may = useMay()
  return (
    <SiteSettings title="Retention and privacy">
      <Panel title="Retention">{may.own === undefined ? <SiteRetention /> : <Hidden />}</Panel>
      <Panel title="Privacy floor">{may.own === undefined ? <PrivacyFloor /> : <Hidden />}</Panel>
      <Panel title="Visitors who ask not to be counted">{may.own === undefined ? <OptOut /> : <Hidden />}</Panel>
    </SiteSettings>
  )
}

const Hidden = () => <NotForYou>Owners see and change this.</NotForYou>

/** A floor of 1 also withholds nothing: a group of fewer than one session has no number to withhold. */
export const floorWords = (privacy_floor: number): string =>
  privacy_floor < 2
    ? 'No funnel and no event is withheld.'
    : `Funnels of fewer than ${counted(privacy_floor, 'session')} and events of fewer visitors are withheld.`

function PrivacyFloor() {
  const site = useSiteId()
  const setting = useQuery(settingQuery('site.privacy_floor', { site }))
  const [floor, setFloor] = useState<string | null>(null)
  const save = useChange('site.privacy_floor', {
    changes: ['site.privacy_floor', 'getAnalyticsFunnels', 'getAnalyticsFunnel', 'getAnalyticsEvents'],
    onDone: ({ privacy_floor }) => {
      setFloor(null)
      announce(floorWords(privacy_floor))
    },
  })
  return (
    <PanelBody>
      <Async query={setting} skeleton={<SkeletonRows rows={1} />}>
        {({ privacy_floor }) => {
          const chosen = floor ?? String(privacy_floor)
          const fault = wholeNumberFault(chosen, 0, MAX_FLOOR)
          return (
            <form
              onSubmit={(event) => {
                event.preventDefault()
                if (fault === undefined) save.mutate({ site, privacy_floor: Number(chosen) })
              }}
              className="space-y-6"
            >
              <NumberForm
                label="Minimum sessions of a funnel and visitors of an event"
                help="Funnels that fewer sessions entered and events of fewer visitors are withheld. Other reports show all numbers."
                value={chosen}
                onChange={setFloor}
                fault={fault}
                is_busy={save.isPending}
              />
              <FormError error={save.error} />
            </form>
          )
        }}
      </Async>
    </PanelBody>
  )
}

function OptOut() {
  const site = useSiteId()
  const setting = useQuery(settingQuery('tracker.opt_out', { site }))
  const save = useChange('tracker.opt_out', { changes: ['tracker.opt_out'] })
  return (
    <PanelBody>
      <Async query={setting} skeleton={<SkeletonRows rows={1} />}>
        {({ honours_opt_out }) => (
          <div className="space-y-4">
            <CheckField
              label="Leave out visitors whose browser asks for it"
              help="Events with Do Not Track or Global Privacy Control are not counted. The script itself never measures such browsers."
              checked={honours_opt_out}
              onChange={(checked) => save.mutate({ site, honours_opt_out: checked })}
            />
            <FormError error={save.error} />
          </div>
        )}
      </Async>
    </PanelBody>
  )
}
