/** Plans the waiting deliveries: a pure function of them and the time (rules 8.6). */
import { DAY_MS } from '#clock.ts'
import type { AlertDeliveryRow, AlertReceiverRow, AlertRow } from '#control/tables.ts'
import { isIssueAlert, readEventTypes } from './event-types.ts'
import { GATHER_MS, MAX_GATHER_MS } from './outbox.ts'

/** A waiting delivery with its alert. */
export interface WaitingDelivery
  extends Pick<AlertDeliveryRow, 'id' | 'alert_id' | 'receiver_id' | 'attempts' | 'due_at'>,
    Pick<AlertRow, 'type' | 'subject_id' | 'recorded_at' | 'position' | 'is_sent_alone'> {}

export type PlannedReceiver = Pick<AlertReceiverRow, 'id' | 'event_types' | 'paused_until'>

export interface DeliveryPlan {
  /** Each group of one receiver and type becomes one digest. */
  digests: WaitingDelivery[][]
  /** To be attempted now, in order of recording. */
  due: WaitingDelivery[]
  /** Deliveries that are never sent alone and that no digest included in time. */
  dropped: WaitingDelivery[]
  /** When the next delivery is due; null: none waits. */
  next_at: number | null
}

/** More waiting alerts of one type become a digest. */
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
    else planReceiver({ plan, now, later, isBlocked: blockedBy(mine) }, receiver, mine)
  }
  plan.due.sort((a, b) => a.position - b.position)
  return plan
}

interface Round {
  plan: DeliveryPlan
  now: number
  later(at: number): void
  /** Whether a delivery waits for another one of its receiver. */
  isBlocked(delivery: WaitingDelivery): boolean
}

function planReceiver(round: Round, receiver: PlannedReceiver, mine: readonly WaitingDelivery[]): void {
  const { plan, now, later } = round
  const isBehind = behindTried(mine)
  const isGathered = (delivery: WaitingDelivery) =>
    isIssueAlert(delivery.type) && delivery.attempts === 0 && !isBehind(delivery)
  const takes_digests = readEventTypes(receiver.event_types).includes('issue.digest')
  for (const group of Map.groupBy(mine.filter(isGathered), ({ type }) => type).values()) {
    const ready_at = readyAt(group.filter((delivery) => delivery.is_sent_alone === 1))
    if (ready_at !== null && ready_at > now) later(ready_at)
    else if (ready_at !== null && takes_digests && group.length > MAX_SINGLE_ALERTS) plan.digests.push(group)
    else for (const delivery of group) planSingle(round, delivery)
  }
  for (const delivery of mine) if (!isGathered(delivery)) planSingle(round, delivery)
}

/**
 * When a group is complete: some time after its newest alert, but not too long after its oldest one; null: it has no
 * alert to send.
 */
function readyAt(alone: readonly WaitingDelivery[]): number | null {
  if (alone.length === 0) return null
  const recorded = alone.map((delivery) => delivery.recorded_at)
  return Math.min(Math.max(...recorded) + GATHER_MS, Math.min(...recorded) + MAX_GATHER_MS)
}

function planSingle({ plan, now, later, isBlocked }: Round, delivery: WaitingDelivery): void {
  if (delivery.is_sent_alone === 0) {
    const drop_at = delivery.recorded_at + WAIT_FOR_DIGEST_MS
    if (drop_at <= now) plan.dropped.push(delivery)
    else later(drop_at)
  } else if (!isBlocked(delivery)) {
    if (delivery.due_at <= now) plan.due.push(delivery)
    else later(delivery.due_at)
  }
}

/** Whether an earlier delivery of the same subject is attempted again: no digest may arrive before it. */
function behindTried(mine: readonly WaitingDelivery[]): (delivery: WaitingDelivery) => boolean {
  const first = new Map<string, number>()
  for (const { subject_id, position, attempts } of mine)
    if (attempts > 0 && !first.has(subject_id)) first.set(subject_id, position)
  return ({ subject_id, position }) => (first.get(subject_id) ?? position) < position
}

/**
 * A delivery waits for an earlier one of the same subject, so that a fix never arrives before its issue, and for a
 * digest that may contain that earlier one.
 */
function blockedBy(mine: readonly WaitingDelivery[]): Round['isBlocked'] {
  const earliest = new Map<string, number>()
  for (const { subject_id, position, is_sent_alone } of mine) {
    if (is_sent_alone === 1) earliest.set(subject_id, Math.min(position, earliest.get(subject_id) ?? position))
  }
  const has_new_digest = mine.some(({ type, attempts }) => type === 'issue.digest' && attempts === 0)
  return ({ type, subject_id, position, attempts }) =>
    (earliest.get(subject_id) ?? position) < position || (has_new_digest && isIssueAlert(type) && attempts === 0)
}
