import { useQuery } from '@tanstack/react-query'
import { Button } from '../../controls/button.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { readQuery } from '../../read/queries.ts'
import { useChange } from '../../read/use-change.ts'
import { useMay } from '../../shell/use-may.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel } from '../../states/panel.tsx'
import { dayText, instantText } from '../../words/days.ts'
import { visibleText } from '../../words/foreign-text.ts'

/**
 * The senders of an intake source. A sender that was removed is retired, so that its silence does not make days
 * partial.
 */
export function SendersPanel({ source }: { source: string }) {
  const may = useMay()
  const senders = useQuery(readQuery('source.sender_list', { source }))
  const retire = useChange('source.sender_retire', { changes: ['source.sender_list', 'getSources', 'getCoverage'] })
  return (
    <Panel title="Senders" note="Programs that deliver to this source">
      <div className="px-8 pb-3 empty:hidden">{retire.error !== null && <FormError error={retire.error} />}</div>
      <Async query={senders} skeleton={<SkeletonRows rows={2} />}>
        {({ senders: listed }) =>
          listed.length === 0 ? (
            <p className="px-8 pb-8 text-ink2">Nothing has been delivered yet.</p>
          ) : (
            <ul>
              {listed.map((sender) => (
                <li
                  key={sender.name}
                  className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 border-t border-line px-8 py-5 max-tablet:px-6"
                >
                  <span>
                    <span className="font-medium">{visibleText(sender.name)}</span>
                    <span className="block text-dense text-ink2">
                      Last delivery {instantText(sender.last_received_at)} UTC, records through{' '}
                      {instantText(sender.last_record_at)}
                    </span>
                    {sender.silent_days.length > 0 && sender.retired_at === null && (
                      <span className="block text-dense text-warn">
                        Silent, so only watched in part: {sender.silent_days.slice(0, 7).map(dayText).join(', ')}
                        {sender.silent_days.length > 7 && ' …'}
                      </span>
                    )}
                  </span>
                  {sender.retired_at === null ? (
                    <Button
                      forbidden={may.own}
                      onClick={() => retire.mutate({ source, sender: sender.name })}
                      title="Without its deliveries, days are then no longer partial. It is expected again after its next delivery."
                    >
                      Stop expecting it
                    </Button>
                  ) : (
                    <span className="text-dense text-ink3">retired {instantText(sender.retired_at)} UTC</span>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Async>
    </Panel>
  )
}
