import { describe, expect, test } from 'vitest'
import { type DeliveryPlan, type PlannedReceiver, planDeliveries, type WaitingDelivery } from '#alerts/plan.ts'
import { DAY_MS, MINUTE_MS } from '#clock.ts'

const NOW = Date.parse('2026-03-10T12:00:00Z')
const ALL = JSON.stringify(['issue.opened', 'issue.fix_detected', 'issue.digest', 'source.silent'])
const receiver: PlannedReceiver = { id: 'r', event_types: ALL, paused_until: null }

let position = 0
/** Recorded two minutes ago unless set, so that nothing else is awaited. */
function waiting(more: Partial<WaitingDelivery> = {}): WaitingDelivery {
  position++
  return {
    id: `d${position}`,
    alert_id: `a${position}`,
    receiver_id: 'r',
    attempts: 0,
    due_at: NOW - MINUTE_MS,
    type: 'issue.opened',
    subject_id: `i${position}`,
    recorded_at: NOW - 2 * MINUTE_MS,
    position,
    is_sent_alone: 1,
    ...more,
  }
}
const several = (count: number, more: Partial<WaitingDelivery> = {}) =>
  Array.from({ length: count }, () => waiting(more))
const ids = ({ due, digests, dropped, next_at }: DeliveryPlan) => ({
  due: due.map(({ id }) => id),
  digests: digests.map((group) => group.map(({ id }) => id)),
  dropped: dropped.map(({ id }) => id),
  next_at,
})
const plan = (deliveries: readonly WaitingDelivery[], now = NOW, of = receiver) =>
  ids(planDeliveries(deliveries, [of], now))
const of = (deliveries: readonly WaitingDelivery[]) => deliveries.map(({ id }) => id)
const nothing = { due: [], digests: [], dropped: [], next_at: null }

describe('the plan for waiting deliveries (rules 8.6)', () => {
  test('five alerts of a type are sent one by one, six become one digest', () => {
    const five = several(5)
    expect(plan(five)).toEqual({ ...nothing, due: of(five) })
    const six = [...five, waiting()]
    expect(plan(six)).toEqual({ ...nothing, digests: [of(six)] })
  })

  test('types are counted separately', () => {
    const opened = several(5)
    const fixed = several(5, { type: 'issue.fix_detected' })
    expect(plan([...opened, ...fixed])).toEqual({ ...nothing, due: [...of(opened), ...of(fixed)] })
  })

  test('a group waits a minute for more of its type, and at most 15 minutes from its first', () => {
    const begun = waiting({ recorded_at: NOW - 10_000 })
    expect(plan([begun])).toEqual({ ...nothing, next_at: NOW + 50_000 })
    const old = waiting({ recorded_at: NOW - 14 * MINUTE_MS })
    expect(plan([old, begun])).toEqual({ ...nothing, next_at: NOW + 50_000 })
    const older = waiting({ recorded_at: NOW - 15 * MINUTE_MS })
    expect(plan([older, begun])).toEqual({ ...nothing, due: [begun.id, older.id].sort() })
  })

  test('a receiver without digests gets each alone', () => {
    const many = several(8)
    const single = { ...receiver, event_types: '["issue.opened"]' }
    expect(plan(many, NOW, single)).toEqual({ ...nothing, due: of(many) })
  })

  test('a page that is gone is never sent alone, and is dropped after a day without a digest', () => {
    const gone = several(9, { is_sent_alone: 0 })
    const dropped_at = NOW - 2 * MINUTE_MS + DAY_MS
    expect(plan(gone)).toEqual({ ...nothing, next_at: dropped_at })
    const other = waiting()
    expect(plan([...gone, other])).toEqual({ ...nothing, digests: [[...of(gone), other.id]] })
    expect(plan([...gone.slice(0, 2), other])).toEqual({ ...nothing, due: [other.id], next_at: dropped_at })
    expect(plan(gone, dropped_at)).toEqual({ ...nothing, dropped: of(gone) })
  })

  test('a later alert of a subject waits for an earlier one', () => {
    const opened = waiting({ attempts: 2, due_at: NOW + 5_000 })
    const fixed = waiting({ type: 'issue.fix_detected', subject_id: opened.subject_id })
    const other = waiting({ type: 'issue.fix_detected' })
    expect(plan([opened, fixed, other])).toEqual({ ...nothing, due: [other.id], next_at: NOW + 5_000 })
  })

  test('a digest leaves out what waits for an earlier alert of its subject', () => {
    const opened = waiting({ attempts: 2, due_at: NOW + 5_000 })
    const fixed = waiting({ type: 'issue.fix_detected', subject_id: opened.subject_id })
    const others = several(6, { type: 'issue.fix_detected' })
    expect(plan([opened, fixed, ...others])).toEqual({ ...nothing, digests: [of(others)], next_at: NOW + 5_000 })
  })

  test('a digest that was not tried yet goes before alerts of issues', () => {
    const digest = waiting({ type: 'issue.digest', subject_id: 'r', due_at: NOW })
    const fixed = waiting({ type: 'issue.fix_detected' })
    const silent = waiting({ type: 'source.silent' })
    expect(plan([digest, fixed, silent])).toEqual({ ...nothing, due: [digest.id, silent.id] })
    const tried = { ...digest, attempts: 1, due_at: NOW + 5_000 }
    expect(plan([tried, fixed])).toEqual({ ...nothing, due: [fixed.id], next_at: NOW + 5_000 })
  })

  test('nothing is sent to a receiver that asked for a pause; alerts that gather in the meantime become a digest', () => {
    const paused = { ...receiver, paused_until: NOW + MINUTE_MS }
    const many = several(6)
    expect(plan(many, NOW, paused)).toEqual({ ...nothing, next_at: NOW + MINUTE_MS })
    expect(plan(many, NOW + MINUTE_MS, paused)).toEqual({ ...nothing, digests: [of(many)] })
  })

  test('an alert that was tried is repeated under its own id, even if others wait', () => {
    const tried = waiting({ attempts: 1, due_at: NOW })
    const many = several(6)
    expect(plan([tried, ...many])).toEqual({ ...nothing, due: [tried.id], digests: [of(many)] })
  })
})
