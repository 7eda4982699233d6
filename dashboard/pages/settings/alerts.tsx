import { useQuery } from '@tanstack/react-query'
import { readQuery } from '../../read/queries.ts'
import { useSiteId } from '../../read/use-report.ts'
import { NotForYou } from '../../settings/settings-page.tsx'
import { useMay } from '../../shell/use-may.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { AddReceiver } from './add-receiver.tsx'
import { DeliveriesTable } from './deliveries-table.tsx'
import { ReceiverRow } from './receiver-row.tsx'
import { SiteSettings } from './site-settings.tsx'

const MAX_DELIVERIES = 50

/** Who gets alerts, and were they delivered? */
export default function AlertsPage() {
  const site = useSiteId()
  const may = useMay()
  const is_owner = may.own === undefined
  const receivers = useQuery({ ...readQuery('alert.list', { site }), enabled: is_owner })
  const deliveries = useQuery({
    ...readQuery('alert.delivery_list', { site, limit: MAX_DELIVERIES }),
    enabled: is_owner,
  })
  const hidden = <NotForYou>Owners see and change the receivers of alerts.</NotForYou>
  return (
    <SiteSettings title="Alerts">
      <Panel title="Add a receiver">
        <PanelBody>
          <AddReceiver site={site} forbidden={may.own} />
        </PanelBody>
      </Panel>
      <Panel title="Receivers" note="They get alerts about changes to issues, sources and the tracker">
        {is_owner ? (
          <Async query={receivers} skeleton={<SkeletonRows rows={2} height={62} />}>
            {({ receivers: listed }) =>
              listed.length === 0 ? (
                <p className="px-8 pb-8 text-ink2 max-tablet:px-6">There are no receivers yet.</p>
              ) : (
                <ul>
                  {listed.map((receiver) => (
                    <ReceiverRow key={receiver.id} receiver={receiver} />
                  ))}
                </ul>
              )
            }
          </Async>
        ) : (
          hidden
        )}
      </Panel>
      <Panel title="Deliveries" note="Of the last 30 days, the newest first">
        {is_owner ? (
          <Async query={deliveries} skeleton={<SkeletonRows rows={4} />}>
            {({ deliveries: listed }) => (
              <DeliveriesTable deliveries={listed} is_cut={listed.length === MAX_DELIVERIES} />
            )}
          </Async>
        ) : (
          hidden
        )}
      </Panel>
    </SiteSettings>
  )
}
