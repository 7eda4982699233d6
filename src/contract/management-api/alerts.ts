/** Who is alerted of changes of a site, and what became of each alert (rules 8.6). */
import Type from 'typebox'
import { Count, Instant, oneOf, orNull, Uuid } from '../fields.ts'
import { ALERT_EVENT_TYPES } from '../vocabulary.ts'
import { onSite } from './define.ts'

const receiver = Type.String({ description: 'id, e-mail address, or origin of the URL' })

const receiverFields = {
  id: Uuid,
  site_id: Uuid,
  kind: oneOf(['webhook', 'email']),
  /** The address, or the origin of the URL: its path may be a secret. */
  target: Type.String(),
  event_types: Type.Array(oneOf(ALERT_EVENT_TYPES)),
  state: oneOf(['unconfirmed', 'active', 'off']),
  off_reason: orNull(oneOf(['gone', 'failing', 'unsubscribed'])),
  state_since: Instant,
  created_at: Instant,
  last_success_at: orNull(Instant),
  failing_since: orNull(Instant),
  paused_until: orNull(Instant),
}
const AlertReceiver = Type.Object(receiverFields)

const Delivery = Type.Object({
  id: Uuid,
  /** The `webhook-id`. */
  alert_id: Uuid,
  receiver_id: Uuid,
  target: Type.String(),
  /** An event type, or `alert.test`. */
  type: Type.String(),
  /** The issue, source, site or receiver that it is about. */
  subject_id: Uuid,
  state: oneOf(['waiting', 'delivered', 'failed', 'in_digest', 'dropped']),
  attempts: Count,
  occurred_at: Instant,
  next_attempt_at: orNull(Instant),
  attempted_at: orNull(Instant),
  ended_at: orNull(Instant),
  status: orNull(Type.Integer()),
  error_code: orNull(Type.String()),
  /** The alert that this one became a part of. */
  digest_id: orNull(Uuid),
})

const permission = 'manage_alerts'
const change = { permission, effect: 'write' } as const

export const alertOperations = [
  onSite('alert.add', 'Add a receiver of alerts: a webhook, whose secret is shown once, or an e-mail address', {
    ...change,
    input: {
      webhook: Type.Optional(Type.String()),
      email: Type.Optional(Type.String()),
      /** Left out or empty: all. */
      event_types: Type.Optional(Type.Array(oneOf(ALERT_EVENT_TYPES))),
    },
    /** Null: an address, whose holder is asked by e-mail. */
    output: Type.Object({ ...receiverFields, secret: orNull(Type.String()) }),
  }),
  onSite('alert.list', 'The receivers of alerts of a site', {
    permission,
    output: Type.Object({ receivers: Type.Array(AlertReceiver) }),
  }),
  onSite('alert.test', 'Send a test alert to a receiver; one that is switched off and accepts it is switched on', {
    ...change,
    input: { receiver },
    output: Type.Object({
      ...receiverFields,
      alert_id: Uuid,
      is_delivered: Type.Boolean(),
      status: orNull(Type.Integer()),
      error_code: orNull(Type.String()),
    }),
  }),
  onSite('alert.rotate', 'Give a webhook a new secret, shown once; the one before signs as well for 24 hours', {
    ...change,
    input: { receiver },
    output: Type.Object({ ...receiverFields, secret: Type.String(), previous_secret_until: Instant }),
  }),
  onSite('alert.remove', 'Take a receiver away, with its deliveries', {
    ...change,
    input: { receiver },
    output: AlertReceiver,
  }),
  onSite('alert.delivery_list', 'What became of the alerts of the last 30 days, the newest first', {
    permission,
    input: {
      receiver: Type.Optional(receiver),
      limit: Type.Integer({ minimum: 1, maximum: 1_000 }),
    },
    output: Type.Object({ deliveries: Type.Array(Delivery) }),
  }),
] as const
