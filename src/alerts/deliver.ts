/**
 * Sends what the outbox holds: at least once, in the order of each subject, one alert at a time to each receiver (rules
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
  /** From 0 to under 1: how long the pauses between attempts are. */
  random?: () => number
  /** Sees what came of each attempt. */
  onAttempt?: (attempt: { kind: AlertReceiverRow['kind']; result: AttemptResult }) => void
}

/** Fences the writes of a run whose job another process may have taken over. */
type Check = (trx: ControlTransaction) => Promise<void>

const AT_ONCE = 8
/** Of more waiting deliveries the oldest are looked at first. */
const MAX_LOOKED_AT = 50_000
/** A run waits for what is due within this time, such as the second attempt; everything else is the next run's. */
const MAX_WAIT_MS = 30_000

/**
 * One run: delivers until nothing is due within half a minute. Of several processes that share the control store one
 * runs at a time (jobs). An alert is sent again when its process ends between the answer of the receiver and the record
 * of it.
 */
export async function deliverAlerts(ctx: DeliverContext, signal: AbortSignal, check: Check): Promise<void> {
  for (;;) {
    const next_at = await deliverDue(ctx, signal, check)
    const wait_ms = next_at === null ? null : next_at - ctx.clock.now()
    if (wait_ms === null || wait_ms > MAX_WAIT_MS || signal.aborted) return
    await pause(Math.max(0, wait_ms), undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

/** Attempts everything that is due, once; returns when something else is due, null: nothing waits. */
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

/** Makes digests and drops what is not sent first, so that what is left is to be attempted. */
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

/** False: the rest of what this receiver is due waits, because it was removed, switched off, or asked for a pause. */
async function attempt(
  ctx: DeliverContext,
  delivery: WaitingDelivery,
  signal: AbortSignal,
  check: Check,
): Promise<boolean> {
  const { receiver, alert } = await ctx.control.snapshot(async (trx) => {
    // A run whose lease ended while its process was suspended must not send what another run sends.
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

/** One attempt by the way of the receiver. */
export function sendTo(
  ctx: DeliverContext,
  receiver: AlertReceiverRow,
  alert: AlertRow,
  signal?: AbortSignal,
): Promise<AttemptResult> {
  return receiver.kind === 'webhook' ? sendWebhook(ctx, receiver, alert, signal) : sendEmail(ctx, receiver, alert)
}
