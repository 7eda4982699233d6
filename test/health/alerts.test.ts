import { describe, expect, test } from 'vitest'
import { findReceiver } from '#alerts/receivers.ts'
import { HOUR_MS, MINUTE_MS } from '#clock.ts'
import { checkAlerts, readAlerts } from '#health/alerts.ts'
import { type AlertWorld, alertWorldOfFile, issueChange, webhookStandIn } from '../support/alerts.ts'

const freshWorld = alertWorldOfFile()

const NOW = '2026-03-10T12:00:00Z'

async function findings({ ctx }: AlertWorld) {
  const found = await checkAlerts({
    ...ctx,
    folder: '',
    service: null,
    public_url: null,
    evidence: () => expect.fail('not needed'),
  })
  return found.map(({ code, message }) => `${code}: ${message}`)
}

describe('deliveries of alerts, for the doctor and the metrics', () => {
  test('no finding without receivers', async () => {
    expect(await findings(await freshWorld(NOW))).toEqual([])
  })

  test('deliveries that wait or were given up, and receivers that were switched off', async () => {
    const world = await freshWorld(NOW)
    const standIn = await webhookStandIn()
    await world.add(standIn.url)
    expect(await findings(world)).toEqual(['alerts: 1 receiver is alerted.'])
    standIn.answer = (response) => response.writeHead(500).end()
    await world.enqueue(issueChange(world.clock, 'opened', 1), issueChange(world.clock, 'opened', 2, { harm: 'gone' }))
    world.clock.advance(MINUTE_MS)
    await world.deliver()
    expect(await readAlerts(world.ctx)).toEqual({
      waiting: 1,
      oldest_waiting_ms: MINUTE_MS,
      failed: 0,
      receivers: { unconfirmed: 0, active: 1, off: 0 },
    })
    expect(await findings(world)).toEqual(['alerts: 1 receiver is alerted.'])
    world.clock.advance(2 * HOUR_MS)
    expect(await findings(world)).toEqual(['alerts_waiting: 1 wait, the oldest for 2 h.'])
    standIn.answer = (response) => response.writeHead(410).end()
    await world.deliver()
    expect(await findings(world)).toEqual([
      'alert_receiver_off: example.com (webhook, gone).',
      'alerts_failed: 1 of the last 24 hours were given up.',
    ])
    expect(await readAlerts(world.ctx)).toMatchObject({
      waiting: 0,
      oldest_waiting_ms: null,
      failed: 1,
      receivers: { active: 0, off: 1 },
    })
    const { db } = world.store.control
    expect(await findReceiver(db, world.site.id, new URL(standIn.url).origin)).toMatchObject({ state: 'off' })
  })
})
