/** The result of a delivery attempt, and its consequences (rules 8.6). */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#clock.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { AlertDeliveryRow, AlertReceiverRow } from '#control/tables.ts'

export type AttemptResult =
  | { is_delivered: true; status: number | null }
  | {
      is_delivered: false
      /** HTTP or SMTP status; null: there was no answer. */
      status: number | null
      /** Stable, lower-case words joined by `_`. */
      error_code: string
      /** The receiver asks for no attempt within this time. */
      retry_after_ms: number | null
      /** `gone`: the receiver wants no further alerts; `rejected`: this alert is not attempted again. */
      verdict: 'retry' | 'rejected' | 'gone'
      /** The receiver itself failed, not the connection to it. */
      is_of_receiver: boolean
    }

/** Delays before the second, third, … attempt; together more than 31 hours. */
const DELAYS_MS = [
  5_000,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
]
/** Delays vary by up to this share, so that receivers that fail together are not attempted together. */
const JITTER = 0.1
/** A receiver that has failed for this long is switched off. */
const MAX_FAILING_MS = 5 * DAY_MS
const MAX_RETRY_AFTER_MS = DAY_MS

/**
 * The instant of the next attempt after `attempts` failed ones; null: there is none. `random` returns a number from 0
 * to under 1.
 */
export function nextAttemptAt(attempts: number, now: number, random: () => number): number | null {
  const delay = DELAYS_MS[attempts - 1]
  return delay === undefined ? null : now + Math.round(delay * (1 + JITTER * (2 * random() - 1)))
}

interface Attempted {
  delivery: Pick<AlertDeliveryRow, 'id' | 'receiver_id' | 'attempts'>
  result: AttemptResult
  now: number
  random: () => number
}

/**
 * Records an attempt, and switches the receiver off if the rules require it. A removed receiver or delivery stays
 * removed.
 */
export async function recordAttempt(trx: ControlTransaction, attempted: Attempted): Promise<void> {
  const { delivery, result, now } = attempted
  await trx
    .updateTable('alert_deliveries')
    .set({ attempts: delivery.attempts + 1, attempted_at: now, status: result.status, ...stateAfter(attempted) })
    .where('id', '=', delivery.id)
    .execute()
  const receiver = await trx
    .selectFrom('alert_receivers')
    .selectAll()
    .where('id', '=', delivery.receiver_id)
    .executeTakeFirst()
  if (receiver === undefined) return
  const change = result.is_delivered ? columnsAfterSuccess(receiver, now) : failing(receiver, result, now)
  await trx.updateTable('alert_receivers').set(change).where('id', '=', receiver.id).execute()
  if (change.state === 'off') await endWaiting(trx, receiver.id, now)
}

function stateAfter({ delivery, result, now, random }: Attempted): Partial<AlertDeliveryRow> {
  if (result.is_delivered) return { state: 'delivered', ended_at: now, error_code: null }
  const { error_code, verdict, retry_after_ms } = result
  const next_at = verdict === 'retry' ? nextAttemptAt(delivery.attempts + 1, now, random) : null
  if (next_at === null) return { state: 'failed', ended_at: now, error_code }
  return { error_code, due_at: Math.max(next_at, now + pauseOf(retry_after_ms)) }
}

const pauseOf = (retry_after_ms: number | null) =>
  Math.min(retry_after_ms ?? Number.NEGATIVE_INFINITY, MAX_RETRY_AFTER_MS)

/** The columns of a receiver after a success, which switches it on again unless its holder has unsubscribed. */
function columnsAfterSuccess({ state, off_reason }: AlertReceiverRow, now: number): Partial<AlertReceiverRow> {
  const well = { failing_since: null, paused_until: null, last_success_at: now }
  if (state !== 'off' || off_reason === 'unsubscribed') return well
  return { ...well, state: 'active', off_reason: null, state_since: now }
}

function failing(
  { failing_since, state }: AlertReceiverRow,
  { verdict, is_of_receiver, retry_after_ms }: Extract<AttemptResult, { is_delivered: false }>,
  now: number,
): Partial<AlertReceiverRow> {
  const since = is_of_receiver ? (failing_since ?? now) : failing_since
  const failed: Partial<AlertReceiverRow> = { failing_since: since }
  if (retry_after_ms !== null) failed.paused_until = now + pauseOf(retry_after_ms)
  if (state !== 'active') return failed
  if (verdict === 'gone') return { ...failed, state: 'off', off_reason: 'gone', state_since: now }
  if (since === null || now - since < MAX_FAILING_MS) return failed
  return { ...failed, state: 'off', off_reason: 'failing', state_since: now }
}

/** Ends the waiting deliveries of a receiver that was switched off. */
export async function endWaiting(trx: ControlTransaction, receiver_id: string, now: number): Promise<void> {
  await trx
    .updateTable('alert_deliveries')
    .set({ state: 'failed', ended_at: now, error_code: 'receiver_off' })
    .where((is) => is.and({ receiver_id, state: 'waiting' }))
    .execute()
}
