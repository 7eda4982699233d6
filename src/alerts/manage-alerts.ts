/** Operations that add, list, test and remove receivers of alerts, and rotate their secrets (rules 8.6). */
import { instantOrNull, instantText } from '#clock.ts'
import type { ManagementOperationOf, ManagementOutput } from '#contract/management-api/index.ts'
import type { AlertEventType } from '#contract/vocabulary.ts'
import type { AlertReceiverRow } from '#control/tables.ts'
import type { Implementations } from '#implementation.ts'
import { Refusal } from '#refusal.ts'
import { recordAttempt } from './attempt.ts'
import { addEmail } from './consent.ts'
import { type DeliverContext, sendTo } from './deliver.ts'
import { listDeliveries } from './deliveries.ts'
import { readEventTypes } from './event-types.ts'
import { insertAlert, insertDelivery } from './outbox.ts'
import {
  addWebhook,
  findReceiver,
  listReceivers,
  type ReceiverContext,
  removeReceiver,
  rotateSecret,
} from './receivers.ts'

type Services = ReceiverContext & Omit<DeliverContext, 'random' | 'onAttempt'>
type AlertOperationId =
  | 'alert.add'
  | 'alert.list'
  | 'alert.test'
  | 'alert.rotate'
  | 'alert.remove'
  | 'alert.delivery_list'

export const manageAlerts: Implementations<ManagementOperationOf<AlertOperationId>, Services> = {
  async 'alert.add'(ctx, { webhook, email, event_types }) {
    if ((webhook === undefined) === (email === undefined)) {
      throw new Refusal('invalid_input', 'A receiver is either a webhook or an e-mail address: give one of the two.')
    }
    const { site } = ctx
    const types = event_types === undefined ? {} : { event_types }
    if (email !== undefined) return { ...describe(await addEmail(ctx, { site, email, ...types })), secret: null }
    const { receiver, secret } = await addWebhook(ctx, { site_id: site.id, url: String(webhook), ...types })
    return { ...describe(receiver), secret }
  },

  async 'alert.list'(ctx) {
    return { receivers: (await listReceivers(ctx.control.db, ctx.site.id)).map(describe) }
  },

  async 'alert.test'(ctx, { receiver: named }) {
    const receiver = await findReceiver(ctx.control.db, ctx.site.id, named)
    if (receiver.state === 'unconfirmed' || receiver.off_reason === 'unsubscribed') {
      throw new Refusal(
        'conflict',
        `${receiver.target} gets no test alert, because its holder has not agreed to e-mails.`,
      )
    }
    return tryReceiver(ctx, receiver)
  },

  async 'alert.rotate'(ctx, { receiver: named }) {
    const found = await findReceiver(ctx.control.db, ctx.site.id, named)
    const { receiver, secret, previous_secret_until } = await rotateSecret(ctx, found)
    return { ...describe(receiver), secret, previous_secret_until: instantText(previous_secret_until) }
  },

  async 'alert.remove'(ctx, { receiver: named }) {
    const receiver = await findReceiver(ctx.control.db, ctx.site.id, named)
    await removeReceiver(ctx, receiver)
    return describe(receiver)
  },

  async 'alert.delivery_list'(ctx, { receiver, limit }) {
    const { db } = ctx.control
    const named = receiver === undefined ? null : (await findReceiver(db, ctx.site.id, receiver)).id
    return listDeliveries(db, { site_id: ctx.site.id, receiver_id: named, limit })
  },
}

/** Sends a test alert once. It is in the log of deliveries, and is not repeated. */
async function tryReceiver(
  ctx: Services & { site: { id: string; root_domain: string } },
  receiver: AlertReceiverRow,
): Promise<ManagementOutput<'alert.test'>> {
  const { control, clock, site } = ctx
  const now = clock.now()
  const alert = await control.transaction((trx) =>
    insertAlert(
      trx,
      { site, type: 'alert.test', subject_id: receiver.id, occurred_at: now, is_sent_alone: 1, data: {} },
      now,
    ),
  )
  const result = await sendTo(ctx, receiver, alert)
  const once = result.is_delivered
    ? result
    : ({ ...result, verdict: result.verdict === 'gone' ? 'gone' : 'rejected' } as const)
  const updated = await control.transaction(async (trx) => {
    const kept = await trx.selectFrom('alert_receivers').select('id').where('id', '=', receiver.id).executeTakeFirst()
    if (kept === undefined) throw new Refusal('not_found', 'The receiver has been removed.')
    const id = await insertDelivery(trx, { alert, receiver_id: receiver.id, due_at: now })
    const delivery = { id, receiver_id: receiver.id, attempts: 0 }
    await recordAttempt(trx, { delivery, result: once, now: clock.now(), random: () => 0 })
    return trx.selectFrom('alert_receivers').selectAll().where('id', '=', receiver.id).executeTakeFirstOrThrow()
  })
  return {
    ...describe(updated),
    alert_id: alert.id,
    is_delivered: result.is_delivered,
    status: result.status,
    error_code: result.is_delivered ? null : result.error_code,
  }
}

function describe(receiver: AlertReceiverRow): ManagementOutput<'alert.remove'> {
  const { id, site_id, kind, target, state, off_reason } = receiver
  return {
    id,
    site_id,
    kind,
    target,
    state,
    off_reason,
    event_types: readEventTypes(receiver.event_types) as AlertEventType[],
    state_since: instantText(receiver.state_since),
    created_at: instantText(receiver.created_at),
    last_success_at: instantOrNull(receiver.last_success_at),
    failing_since: instantOrNull(receiver.failing_since),
    paused_until: instantOrNull(receiver.paused_until),
  }
}
