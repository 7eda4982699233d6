/** What is to be done about the deliveries that wait: a pure function of them and the time (rules 8.6). */
import { DAY_MS } from '#clock.ts'
import type { AlertDeliveryRow, AlertReceiverRow, AlertRow } from '#control/tables.ts'
import { GATHER_MS, isOfIssue, MAX_GATHER_MS, readEventTypes } from './outbox.ts'

/** A delivery that waits, with its alert. */
export interface WaitingDelivery
  extends Pick<AlertDeliveryRow, 'id' | 'alert_id' | 'receiver_id' | 'attempts' | 'due_at'>,
    Pick<AlertRow, 'type' | 'subject_id' | 'recorded_at' | 'position' | 'is_sent_alone'> {}

export type PlannedReceiver = Pick<AlertReceiverRow, 'id' | 'event_types' | 'paused_until'>

export interface DeliveryPlan {
  /** Each group of one receiver and type becomes one digest. */
  digests: WaitingDelivery[][]
  /** To be attempted now, in order of recording. */
  due: WaitingDelivery[]
  /** Never sent alone, and no digest took them in time. */
  dropped: WaitingDelivery[]
  /** When something else is due next, if nothing new comes; null: never. */
  next_at: number | null
}

/** More than this many waiting alerts of one type become one. */
const MAX_SINGLE_ALERTS = 5
const WAIT_FOR_DIGEST_MS = DAY_MS

/** `waiting` are the deliveries of these active receivers, in order of recording. */
export function planDeliveries(
  waiting: readonly WaitingDelivery[],
  receivers: readonly PlannedReceiver[],
  now: number,
): DeliveryPlan {
  const plan: DeliveryPlan = { digests: [], due: [], dropped: [], next_at: null }
  const later = (at: number) => {
    plan.next_at = plan.next_at === null ? at : Math.min(plan.next_at, at)
  }
  const byReceiver = Map.groupBy(waiting, (delivery) => delivery.receiver_id)
  for (const receiver of receivers) {
    const mine = byReceiver.get(receiver.id) ?? []
    const { paused_until } = receiver
    if (mine.length > 0 && paused_until !== null && paused_until > now) later(paused_until)
    else planReceiver(plan, receiver, mine, now, later)
  }
  plan.due.sort((a, b) => a.position - b.position)
  return plan
}

function planReceiver(
  plan: DeliveryPlan,
  receiver: PlannedReceiver,
  mine: readonly WaitingDelivery[],
  now: number,
  later: (at: number) => void,
): void {
  const gathered = mine.filter(({ type, attempts }) => isOfIssue(type) && attempts === 0)
  const takes_digests = readEventTypes(receiver.event_types).includes('issue.digest')
  for (const group of Map.groupBy(gathered, ({ type }) => type).values()) {
    const alone = group.filter((delivery) => delivery.is_sent_alone === 1)
    const ready_at = readyAt(alone)
    if (ready_at !== null && ready_at > now) later(ready_at)
    else if (ready_at !== null && takes_digests && group.length > MAX_SINGLE_ALERTS) plan.digests.push(group)
    else planSingles(plan, group, mine, now, later)
  }
  planSingles(
    plan,
    mine.filter((delivery) => !gathered.includes(delivery)),
    mine,
    now,
    later,
  )
}

/** When a group is complete: a while after its newest alert, and not too long after its oldest; null: it holds nothing to send. */
function readyAt(alone: readonly WaitingDelivery[]): number | null {
  if (alone.length === 0) return null
  const recorded = alone.map((delivery) => delivery.recorded_at)
  return Math.min(Math.max(...recorded) + GATHER_MS, Math.min(...recorded) + MAX_GATHER_MS)
}

function planSingles(
  plan: DeliveryPlan,
  singles: readonly WaitingDelivery[],
  mine: readonly WaitingDelivery[],
  now: number,
  later: (at: number) => void,
): void {
  for (const delivery of singles) {
    if (delivery.is_sent_alone === 0) {
      const drop_at = delivery.recorded_at + WAIT_FOR_DIGEST_MS
      if (drop_at <= now) plan.dropped.push(delivery)
      else later(drop_at)
    } else if (!followsAnother(delivery, mine)) {
      if (delivery.due_at <= now) plan.due.push(delivery)
      else later(delivery.due_at)
    }
  }
}

/**
 * An earlier alert of the same subject still waits, so that a fix never arrives before what it fixes; or a digest is about to be sent,
 * which may hold it.
 */
const followsAnother = ({ type, subject_id, position }: WaitingDelivery, mine: readonly WaitingDelivery[]): boolean =>
  mine.some(
    (other) =>
      (other.subject_id === subject_id && other.position < position && other.is_sent_alone === 1) ||
      (other.type === 'issue.digest' && other.attempts === 0 && isOfIssue(type)),
  )
