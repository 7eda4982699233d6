/**
 * Sends the alerts of the outbox at least once, in the order of each subject, one at a time to each receiver (rules
 * 8.6).
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { ControlStore, ControlTransaction } from '#control/store.ts'
import type { AlertReceiverRow, AlertRow } from '#control/tables.ts'
import { type AttemptResult, recordAttempt } from './attempt.ts'
import { makeDigest } from './digest.ts'
import type { MailContext } from './email.ts'
import { sendEmail } from './email.ts'
import { type DeliveryPlan, planDeliveries, type WaitingDelivery } from './plan.ts'
import { sendWebhook, type WebhookContext } from './webhook.ts'

export interface DeliverContext extends WebhookContext, MailContext {
  control: ControlStore
  /** Returns a number from 0 to under 1, which varies the pauses between attempts. */
  random?: () => number
  /** Called with the result of each attempt. */
  onAttempt?: (attempt: { kind: AlertReceiverRow['kind']; result: AttemptResult }) => void
}

/** Fences the writes of a run whose job another process may have taken over. */
type Check = (trx: ControlTransaction) => Promise<void>

const AT_ONCE = 8
/** The most waiting deliveries that a run reads, the oldest first. */
const MAX_LOOKED_AT = 50_000
/** A run waits for deliveries that are due within this time; the next run sends the others. */
const MAX_WAIT_MS = 30_000

/**
 * One run: delivers until nothing is due within half a minute. The job runs in one process at a time. If the process
 * ends after the answer of a receiver and before it is recorded, the alert is sent again.
 */
export async function deliverAlerts(ctx: DeliverContext, signal: AbortSignal, check: Check): Promise<void> {
  for (;;) {
    const next_at = await deliverDue(ctx, signal, check)
    const wait_ms = next_at === null ? null : next_at - ctx.clock.now()
    if (wait_ms === null || wait_ms > MAX_WAIT_MS || signal.aborted) return
    await pause(Math.max(0, wait_ms), undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

/** Attempts every due delivery once. Returns when the next one is due; null: none waits. */
export async function deliverDue(ctx: DeliverContext, signal: AbortSignal, check: Check): Promise<number | null> {
  const plan = await makePlan(ctx, check)
  const queues = [...Map.groupBy(plan.due, (delivery) => delivery.receiver_id).values()]
  const work = async () => {
    for (let queue = queues.shift(); queue !== undefined; queue = queues.shift()) {
      for (const delivery of queue) {
        signal.throwIfAborted()
        if (!(await attempt(ctx, delivery, signal, check))) break
      }
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: Math.min(AT_ONCE, queues.length) }, work))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
  if (plan.due.length === 0) return plan.next_at
  const rest = await readPlan(ctx)
  return rest.due.length + rest.digests.length > 0 ? ctx.clock.now() : rest.next_at
}

/** Makes digests and drops deliveries that are not sent; the rest is attempted. */
async function makePlan(ctx: DeliverContext, check: Check): Promise<DeliveryPlan> {
  const first = await readPlan(ctx)
  if (first.digests.length + first.dropped.length === 0) return first
  const now = ctx.clock.now()
  await ctx.control.transaction(async (trx) => {
    await check(trx)
    for (const deliveries of first.digests) await makeDigest(trx, deliveries, now)
    for (const { id } of first.dropped)
      await trx.updateTable('alert_deliveries').set({ state: 'dropped', ended_at: now }).where('id', '=', id).execute()
  })
  return readPlan(ctx)
}

async function readPlan({ control, clock }: DeliverContext): Promise<DeliveryPlan> {
  const { waiting, receivers } = await control.snapshot(async (trx) => ({
    waiting: await trx
      .selectFrom('alert_deliveries as delivery')
      .innerJoin('alerts', 'alerts.id', 'delivery.alert_id')
      .innerJoin('alert_receivers as receiver', 'receiver.id', 'delivery.receiver_id')
      .select(['delivery.id', 'delivery.alert_id', 'delivery.receiver_id', 'delivery.attempts', 'delivery.due_at'])
      .select(['alerts.type', 'alerts.subject_id', 'alerts.recorded_at', 'alerts.position', 'alerts.is_sent_alone'])
      .where((is) => is.and({ 'delivery.state': 'waiting', 'receiver.state': 'active' }))
      .orderBy('alerts.position')
      .orderBy('delivery.id')
      .limit(MAX_LOOKED_AT)
      .execute(),
    receivers: await trx
      .selectFrom('alert_receivers')
      .select(['id', 'event_types', 'paused_until'])
      .where('state', '=', 'active')
      .orderBy('id')
      .execute(),
  }))
  return planDeliveries(waiting, receivers, clock.now())
}

/** False: further deliveries wait, because the receiver was removed, was switched off, or asked for a pause. */
async function attempt(
  ctx: DeliverContext,
  delivery: WaitingDelivery,
  signal: AbortSignal,
  check: Check,
): Promise<boolean> {
  const { receiver, alert } = await ctx.control.snapshot(async (trx) => {
    // If the process was suspended and its lease has ended, another run may send this alert.
    await check(trx)
    return {
      receiver: await trx
        .selectFrom('alert_receivers')
        .selectAll()
        .where('id', '=', delivery.receiver_id)
        .executeTakeFirst(),
      alert: await trx.selectFrom('alerts').selectAll().where('id', '=', delivery.alert_id).executeTakeFirst(),
    }
  })
  const is_paused = receiver?.paused_until != null && receiver.paused_until > ctx.clock.now()
  if (receiver?.state !== 'active' || is_paused || alert === undefined) return false
  const result = await sendTo(ctx, receiver, alert, signal)
  ctx.onAttempt?.({ kind: receiver.kind, result })
  await ctx.control.transaction(async (trx) => {
    await check(trx)
    await recordAttempt(trx, { delivery, result, now: ctx.clock.now(), random: ctx.random ?? Math.random })
  })
  return true
}

/** One attempt by webhook or e-mail. */
export function sendTo(
  ctx: DeliverContext,
  receiver: AlertReceiverRow,
  alert: AlertRow,
  signal?: AbortSignal,
): Promise<AttemptResult> {
  return receiver.kind === 'webhook' ? sendWebhook(ctx, receiver, alert, signal) : sendEmail(ctx, receiver, alert)
}
