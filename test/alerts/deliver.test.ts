/** Deliveries to webhooks on loopback; the clock alone is a double. */
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, test } from 'vitest'
import { deliverDue } from '#alerts/deliver.ts'
import { findReceiver, removeReceiver, rotateSecret } from '#alerts/receivers.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#clock.ts'
import { LeaseLost } from '#jobs/lease.ts'
import {
  type AlertWorld,
  alertWorldOfFile,
  issueChange,
  type WebhookStandIn,
  webhookStandIn,
} from '../support/alerts.ts'

const freshWorld = alertWorldOfFile()

const NOW = '2026-03-10T12:00:00Z'
let world: AlertWorld
let standIn: WebhookStandIn
beforeEach(async () => {
  world = await freshWorld(NOW)
  standIn = await webhookStandIn()
})

const change = (...given: Parameters<typeof issueChange> extends [unknown, ...infer Rest] ? Rest : never) =>
  issueChange(world.clock, ...given)
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)
const receiver = () => findReceiver(world.store.control.db, world.site.id, new URL(standIn.url).origin)

/** Records one opened issue and lets the minute pass in which others are awaited. */
async function openOne(number = 1) {
  await world.enqueue(change('opened', number))
  world.clock.advance(MINUTE_MS)
}

describe('a delivery', () => {
  test('is signed JSON that the published library verifies, with the payload of rules 8.6', async () => {
    const { secret } = await world.add(standIn.url)
    // The library compares with the machine's clock.
    world.clock.leap(Date.now())
    await openOne()
    await world.deliver()
    const [{ headers, body, json } = expect.fail()] = standIn.received
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(json)
    const [{ id } = expect.fail()] = await world.store.control.db.selectFrom('alerts').select('id').execute()
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': id })
    expect(headers['user-agent']).toMatch(/^Spoor\//)
    expect(json).toEqual({
      type: 'issue.opened',
      timestamp: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:]{8}\.\d{3}Z$/),
      data: { site_id: world.site.id, root_domain: 'example.com', issue: expect.objectContaining({ state: 'open' }) },
    })
    expect(await world.deliveries()).toMatchObject([{ state: 'delivered', attempts: 1, status: 204 }])
  })

  test('is repeated with the same id and body until it succeeds, after 5 s, 1, 5, 30 min, 2, 5, 10, 14 h', async () => {
    await world.add(standIn.url)
    standIn.answer = (response) => response.writeHead(500).end()
    await openOne()
    const begun = world.clock.now()
    await world.deliver()
    const at = [0]
    for (let tries = 1; tries < 9; tries++) {
      await world.deliverNext()
      at.push((world.clock.now() - begun) / 1_000)
    }
    expect(at).toEqual([0, 5, 65, 365, 2_165, 9_365, 27_365, 63_365, 113_765])
    expect(new Set(standIn.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(standIn.received.map(({ body }) => body)).size).toBe(1)
    const instants = standIn.received.map(({ headers }) => Number(headers['webhook-timestamp']))
    expect(instants.map((instant) => instant - (instants[0] as number))).toEqual(at)
    expect(await world.deliveries()).toMatchObject([{ state: 'failed', attempts: 9, error_code: 'http_500' }])
  })

  test('that a crash leaves unrecorded is repeated under the same id', async () => {
    await world.add(standIn.url)
    await openOne()
    let checks = 0
    const lost = deliverDue(world.ctx, new AbortController().signal, async () => {
      if (++checks === 2) throw new LeaseLost('deliver_alerts')
    })
    await expect(lost).rejects.toThrow(LeaseLost)
    expect(standIn.received).toHaveLength(1)
    await world.deliver()
    const ids = standIn.received.map(({ headers }) => headers['webhook-id'])
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
  })

  test('is not sent by a run that has lost its lease', async () => {
    await world.add(standIn.url)
    await openOne()
    const lost = deliverDue(world.ctx, new AbortController().signal, async () => {
      throw new LeaseLost('deliver_alerts')
    })
    await expect(lost).rejects.toThrow(LeaseLost)
    expect(standIn.received).toEqual([])
    await world.deliver()
    expect(standIn.received).toHaveLength(1)
  })

  test('never overtakes an earlier one of the same issue', async () => {
    await world.add(standIn.url)
    const down = standIn.answer
    standIn.answer = (response) => response.writeHead(503).end()
    await openOne()
    await world.deliver()
    await world.enqueue(change('fix_detected', 1))
    world.clock.advance(MINUTE_MS)
    standIn.answer = (response) => response.writeHead(standIn.received.length > 2 ? 204 : 503).end()
    await world.deliver()
    expect(standIn.received.map(({ json }) => json.type)).toEqual(['issue.opened', 'issue.opened'])
    standIn.answer = down
    await world.deliverNext()
    await world.deliver()
    expect(standIn.received.slice(2).map(({ json }) => json.type)).toEqual(['issue.opened', 'issue.fix_detected'])
  })

  test('to one receiver does not wait for one to another', async () => {
    const slow = await webhookStandIn()
    // Answers only after the other receiver was reached.
    standIn.answer = (response) => response.writeHead(204).end(() => answerSlow.resolve())
    const answerSlow = Promise.withResolvers<void>()
    slow.answer = (response) => void answerSlow.promise.then(() => response.writeHead(204).end())
    await world.add(slow.url)
    await world.add(standIn.url)
    await openOne()
    await world.deliver()
    expect(await world.deliveries()).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }])
  })

  test('ends with its receiver', async () => {
    const { receiver } = await world.add(standIn.url)
    await openOne()
    await removeReceiver(world.ctx, receiver)
    expect(await world.deliver()).toBeNull()
    expect(standIn.received).toEqual([])
  })
})

describe('an outage', () => {
  test('of ten minutes that opens issues again and again is one digest, and so is its end', async () => {
    await world.add(standIn.url)
    for (let minute = 0; minute < 10; minute++) {
      await world.enqueue(...numbers(5 * minute + 1, 5 * minute + 5).map((number) => change('opened', number)))
      await world.deliver()
      world.clock.advance(MINUTE_MS - 5_000)
      await world.deliver()
      world.clock.advance(5_000)
    }
    expect(standIn.received).toEqual([])
    await world.deliverNext()
    await world.deliver()
    expect(standIn.received).toHaveLength(1)
    const [{ json } = expect.fail()] = standIn.received
    expect(json).toMatchObject({
      type: 'issue.digest',
      data: { root_domain: 'example.com', digest: { event_type: 'issue.opened', issue_count: 50, truncated: false } },
    })
    const { digest } = json.data as { digest: { issues: { path: string }[] } }
    expect(digest.issues.map(({ path }) => path)).toEqual(numbers(1, 50).map((number) => `/directory-${number}/page`))
    expect(JSON.stringify(json)).not.toContain('evidence_refs')

    world.clock.advance(HOUR_MS)
    await world.enqueue(...numbers(1, 50).map((number) => change('fix_detected', number)))
    world.clock.advance(MINUTE_MS)
    await world.deliver()
    expect(standIn.received[1]?.json).toMatchObject({ data: { digest: { event_type: 'issue.fix_detected' } } })
    expect((await world.deliveries()).filter(({ state }) => state === 'waiting')).toEqual([])
  })

  test('lists at most 50 issues and says how many there are', async () => {
    await world.add(standIn.url)
    await world.enqueue(...numbers(1, 60).map((number) => change('opened', number)))
    world.clock.advance(MINUTE_MS)
    await world.deliver()
    const [{ json } = expect.fail()] = standIn.received
    const { digest } = json.data as { digest: { issues: object[] } }
    expect(digest).toMatchObject({ issue_count: 60, truncated: true })
    expect(digest.issues).toHaveLength(50)
  })

  test('alerts of each where there are few', async () => {
    await world.add(standIn.url)
    await world.enqueue(...numbers(1, 5).map((number) => change('opened', number)))
    world.clock.advance(MINUTE_MS)
    await world.deliver()
    expect(standIn.received.map(({ json }) => json.type)).toEqual(numbers(1, 5).map(() => 'issue.opened'))
  })
})

describe('a receiver', () => {
  test('that answers 410 is switched off, and its waiting alerts are given up', async () => {
    await world.add(standIn.url)
    standIn.answer = (response) => response.writeHead(410).end()
    await world.enqueue(change('opened', 1), change('opened', 2))
    world.clock.advance(MINUTE_MS)
    await world.deliver()
    expect(standIn.received).toHaveLength(1)
    expect(await receiver()).toMatchObject({ state: 'off', off_reason: 'gone' })
    expect(await world.deliveries()).toMatchObject([
      { state: 'failed', error_code: 'http_410' },
      { state: 'failed', error_code: 'receiver_off' },
    ])
  })

  test('that asks for a pause gets nothing before its end, and then a digest of the waiting alerts', async () => {
    await world.add(standIn.url)
    standIn.answer = (response) => response.writeHead(429, { 'retry-after': '600' }).end()
    await openOne()
    await world.deliver()
    await world.enqueue(...numbers(2, 8).map((number) => change('opened', number)))
    world.clock.advance(9 * MINUTE_MS)
    await world.deliver()
    expect(standIn.received).toHaveLength(1)
    standIn.answer = (response) => response.writeHead(200).end()
    world.clock.advance(MINUTE_MS)
    await world.deliver()
    await world.deliver()
    expect(standIn.received.slice(1).map(({ json }) => json.type)).toEqual(['issue.opened', 'issue.digest'])
    expect(await receiver()).toMatchObject({ paused_until: null, failing_since: null })
  })

  test('cannot pause for longer than a day', async () => {
    await world.add(standIn.url)
    standIn.answer = (response) => response.writeHead(503, { 'retry-after': 'Fri, 01 Jan 2038 00:00:00 GMT' }).end()
    await openOne()
    await world.deliver()
    expect((await receiver()).paused_until).toBe(world.clock.now() + DAY_MS)
  })

  test('without one success for five days is switched off', async () => {
    await world.add(standIn.url)
    standIn.answer = (response) => response.writeHead(500).end()
    const begun = world.clock.now() + MINUTE_MS
    for (let day = 1; (await receiver()).state === 'active'; day++) {
      await openOne(day)
      await world.deliver()
      world.clock.advance(12 * HOUR_MS)
      await world.deliver()
    }
    expect(await receiver()).toMatchObject({ state: 'off', off_reason: 'failing', failing_since: begun })
    expect(world.clock.now() - begun).toBeGreaterThanOrEqual(5 * DAY_MS)
    expect((await world.deliveries()).every(({ state }) => state === 'failed')).toBe(true)
    const before = standIn.received.length
    await openOne(99)
    await world.deliver()
    expect(standIn.received).toHaveLength(before)
  })

  test('accepts either secret for 24 hours after a rotation, and then only the new one', async () => {
    const { receiver, secret: former } = await world.add(standIn.url)
    world.clock.leap(Date.now())
    const { secret } = await rotateSecret(world.ctx, receiver)
    await openOne()
    await world.deliver()
    const verify = (known: string) => {
      const { headers, body } = standIn.received.at(-1) ?? expect.fail()
      return new Webhook(known).verify(body, headers as Record<string, string>)
    }
    for (const known of [secret, former]) expect(verify(known)).toMatchObject({ type: 'issue.opened' })
    const later = await rotateSecret(world.ctx, await findReceiver(world.store.control.db, world.site.id, receiver.id))
    await openOne(2)
    await world.deliver()
    expect(verify(later.secret)).toMatchObject({ type: 'issue.opened' })
    expect(verify(secret)).toMatchObject({ type: 'issue.opened' })
    expect(() => verify(former)).toThrow(/signature/i)
    // Past the end of the rotation by the service clock; the library still goes by the machine's.
    await world.store.control.db
      .updateTable('alert_receivers')
      .set({ previous_secret_until: world.clock.now() })
      .execute()
    await openOne(3)
    await world.deliver()
    expect(() => verify(secret)).toThrow(/signature/i)
    expect(verify(later.secret)).toMatchObject({ type: 'issue.opened' })
  })

  test('keeps its URL and secrets sealed', async () => {
    const { secret } = await world.add(standIn.url)
    const stored = await world.store.contents()
    expect(stored).not.toContain('secret-part')
    expect(stored).not.toContain(secret.slice(6))
  })
})
