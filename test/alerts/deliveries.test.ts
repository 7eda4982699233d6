import { expect, test } from 'vitest'
import { forgetAlerts, listDeliveries } from '#alerts/deliveries.ts'
import { DAY_MS, MINUTE_MS } from '#clock.ts'
import { alertWorldOfFile, issueChange, webhookStandIn } from '../support/alerts.ts'

const freshWorld = alertWorldOfFile()

test('deliveries are listed for 30 days, the newest first (rules 8.6)', async () => {
  const world = await freshWorld('2026-03-10T12:00:00Z')
  const standIn = await webhookStandIn()
  const { receiver } = await world.add(standIn.url)
  const { db } = world.store.control
  const list = async (limit = 50, receiver_id: string | null = null) =>
    (await listDeliveries(db, { site_id: world.site.id, receiver_id, limit })).deliveries
  await world.enqueue(issueChange(world.clock, 'opened', 1))
  world.clock.advance(MINUTE_MS)
  await world.deliver()
  world.clock.advance(DAY_MS)
  standIn.answer = (response) => response.writeHead(500).end()
  await world.enqueue(issueChange(world.clock, 'opened', 2))
  world.clock.advance(MINUTE_MS)
  await world.deliver()

  const subject = (number: number) => `00000000-0000-4000-8000-00000000000${number}`
  expect(await list()).toEqual([
    expect.objectContaining({
      type: 'issue.opened',
      subject_id: subject(2),
      state: 'waiting',
      attempts: 1,
      status: 500,
      error_code: 'http_500',
      occurred_at: '2026-03-11T12:01:00.000Z',
      next_attempt_at: '2026-03-11T12:02:05.000Z',
      attempted_at: '2026-03-11T12:02:00.000Z',
      ended_at: null,
      receiver_id: receiver.id,
      target: receiver.target,
    }),
    expect.objectContaining({
      subject_id: subject(1),
      state: 'delivered',
      next_attempt_at: null,
      ended_at: '2026-03-10T12:01:00.000Z',
    }),
  ])
  expect(await list(1, receiver.id)).toHaveLength(1)
  expect(await list(50, subject(9))).toEqual([])

  world.clock.set('2026-04-09T12:00:01Z')
  await forgetAlerts(world.ctx)
  expect((await list()).map(({ subject_id }) => subject_id)).toEqual([subject(2)])
  // That an issue was alerted of is remembered for longer.
  expect(await world.enqueue(issueChange(world.clock, 'opened', 1))).toBe(0)
  expect(await world.enqueue(issueChange(world.clock, 'withdrawn', 1))).toBe(1)
})
