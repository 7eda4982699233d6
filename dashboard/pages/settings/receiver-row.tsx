import { useState } from 'react'
import { Badge } from '../../controls/badge.tsx'
import { Button } from '../../controls/button.tsx'
import { ConfirmByTyping } from '../../forms/confirm-by-typing.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { SecretOnce } from '../../forms/secret-once.tsx'
import type { ReadOutput } from '../../read/operations.ts'
import { useChange } from '../../read/use-change.ts'
import { ALERT_WORDS, OFF_WORDS, RECEIVER_WORDS } from '../../words/alerts.ts'
import { instantText } from '../../words/days.ts'
import { visibleText } from '../../words/foreign-text.ts'

type Receiver = ReadOutput<'alert.list'>['receivers'][number]

const TONES = { active: 'ok', unconfirmed: 'warn', off: 'bad' } as const

/** One receiver: its state, and buttons for a test alert, a new secret and removal. */
export function ReceiverRow({ receiver }: { receiver: Receiver }) {
  const [is_leaving, setLeaving] = useState(false)
  const changes = ['alert.list', 'alert.delivery_list'] as const
  const test = useChange('alert.test', { changes })
  const rotate = useChange('alert.rotate', { changes })
  const remove = useChange('alert.remove', { changes })
  const input = { site: receiver.site_id, receiver: receiver.id }
  return (
    <li className="space-y-5 border-t border-line px-8 py-6 max-tablet:px-6">
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3">
        <span className="min-w-0">
          <span className="font-medium">{visibleText(receiver.target)}</span>{' '}
          <Badge tone={TONES[receiver.state]}>{RECEIVER_WORDS[receiver.state]}</Badge>
          <span className="block text-dense text-ink2">{receiverWords(receiver)}</span>
        </span>
        <span className="flex flex-wrap gap-4">
          <Button aria-busy={test.isPending} onClick={() => test.mutate(input)}>
            Send a test alert
          </Button>
          {receiver.kind === 'webhook' && <Button onClick={() => rotate.mutate(input)}>New secret</Button>}
          <Button kind="bad" onClick={() => setLeaving(true)}>
            Remove
          </Button>
        </span>
      </div>
      {test.data !== undefined && <p role="status">{trialWords(test.data)}</p>}
      {rotate.data !== undefined && (
        <div className="space-y-3">
          <SecretOnce label="New secret" secret={rotate.data.secret} />
          <p className="text-small text-ink2">
            The previous one also signs until {instantText(rotate.data.previous_secret_until)} UTC.
          </p>
        </div>
      )}
      <FormError error={test.error ?? rotate.error} />
      <ConfirmByTyping
        title={`Remove ${receiver.target}?`}
        expected={null}
        action="Remove the receiver"
        is_open={is_leaving}
        onClose={() => setLeaving(false)}
        onConfirm={async () => {
          await remove.mutateAsync(input)
        }}
      >
        <p>It gets no more alerts, and the record of its deliveries is deleted.</p>
      </ConfirmByTyping>
    </li>
  )
}

export function receiverWords({
  event_types,
  off_reason,
  last_success_at,
  failing_since,
  paused_until,
}: Receiver): string {
  const parts = [
    event_types.length === Object.keys(ALERT_WORDS).length || event_types.length === 0
      ? 'all alerts'
      : event_types.map((type) => ALERT_WORDS[type] ?? type).join(', '),
    last_success_at === null ? 'nothing delivered yet' : `last delivered ${instantText(last_success_at)} UTC`,
  ]
  if (off_reason !== null)
    parts.push(`switched off: ${OFF_WORDS[off_reason]}; a test alert that it accepts switches it on`)
  if (failing_since !== null) parts.push(`failing since ${instantText(failing_since)} UTC`)
  if (paused_until !== null) parts.push(`paused until ${instantText(paused_until)} UTC`)
  return parts.join(' · ')
}

const trialWords = ({ is_delivered, status, error_code }: ReadOutput<'alert.test'>): string =>
  is_delivered
    ? `The test alert was delivered${status === null ? '' : ` (status ${status})`}.`
    : `The test alert was not delivered: ${error_code ?? `status ${status}`}.`
