/**
 * What browsers and servers send becomes facts in the order of its receipt, each once; whose it was is forgotten with
 * its day (rules 6).
 */
import { readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Type from 'typebox'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#clock.ts'
import { utcDay } from '#days/utc-day.ts'
import { count, rows, uint64 } from '#evidence/sql.ts'
import { openSecretBox } from '#secrets/secret-box.ts'
import { openReceiptOrder } from '#tracker/collection/receipt-order.ts'
import { deleteOldSalts, openVisitors } from '#tracker/collection/visitor-salts.ts'
import { fakeClock } from '../../support/clock.ts'
import { BROWSER, type Collecting, openCollecting } from '../../support/collect.ts'
import { openTestService } from '../../support/service.ts'

const NOW = '2026-03-10T12:00:00Z'
let a: Collecting

beforeEach(async () => {
  a = await openCollecting(NOW)
})
afterEach(() => a.close())

const eventsAfter = (seq: string) => rows(Type.Object({ path: Type.String() }))`
  SELECT path FROM spoor.events FINAL WHERE seq > ${uint64(seq)}`
const visitorsOf = rows(Type.Object({ visitors: count(), first: Type.String() }))`
  SELECT uniqExact(visitor) AS visitors, toString(any(visitor)) AS first FROM spoor.events FINAL`

const orderKeys = rows(Type.Object({ order_key: Type.String(), reports: count() }))`
  SELECT toString(order_key) AS order_key, count() AS reports
  FROM spoor.events FINAL
  WHERE kind = 'revenue'
  GROUP BY order_key`

const from = (address: string, more: Record<string, string> = {}) => ({ 'x-forwarded-for': address, ...more })

test('an event is acknowledged and stored with its fields, and with nothing else of its URL', async () => {
  const url =
    'https://www.example.com/shop/a%7Eb?utm_source=news&utm_medium=email&utm_campaign=jane%40example.org&gclid=x&secret=1#top'
  const answer = await a.browser(a.event({ url, referrer: 'https://chatgpt.com/c/123?q=private' }))
  expect(answer).toMatchObject({ status: 202, json: { accepted: 1, rejected: [] } })
  const stored = (await a.stored()).at(-1)
  expect(stored).toMatchObject({
    day: '2026-03-10',
    stream: 'browser',
    kind: 'pageview',
    name: '',
    hostname: 'www.example.com',
    path: '/shop/a~b',
    path_fidelity: 'exact',
    referrer_host: 'chatgpt.com',
    has_click_id: true,
    utm: 'news|email|:redacted||',
    revenue_kind: 'none',
    received_at: '2026-03-10 12:00:00.000',
  })
  expect(stored?.visitor).not.toBe('0')
})

describe('an event is stored once', () => {
  test('when it is sent again, also from another address and in another request; the first receipt counts', async () => {
    const event = a.event()
    await a.browser(event, from('198.51.100.1'))
    const [first] = await a.stored()
    a.service.clock.advance(HOUR_MS)
    const again = await a.browser([a.event(), event, event], from('203.0.113.9'))
    expect(again).toMatchObject({ status: 202, json: { accepted: 3 } })
    const stored = await a.stored()
    expect(stored).toHaveLength(2)
    expect(stored[0]).toEqual(first)
  })

  test('when it is sent again after midnight', async () => {
    const { clock } = a.service
    clock.set('2026-03-10T23:59:59.500Z')
    const [late, later] = [a.event(), a.event({ url: 'https://example.com/later' })]
    await a.browser(late)
    clock.set('2026-03-11T00:00:01Z')
    await a.browser([late, later])
    expect((await a.stored()).map(({ day, path }) => [day, path])).toEqual([
      ['2026-03-10', '/'],
      ['2026-03-11', '/later'],
    ])
    clock.set('2026-03-11T02:00:00Z')
    await a.browser(late)
    expect(await a.stored()).toHaveLength(2)
  })

  test('and the same id of another site is another event', async () => {
    const event = a.event()
    await a.browser(event)
    const bot = await a.browser(event, { 'user-agent': 'GPTBot/1.2' })
    expect(bot.status).toBe(202)
    expect((await a.stored()).map(({ stream }) => stream)).toEqual(['browser', 'bot'])
  })
})

describe('the order of events', () => {
  test('is that of their receipt; events of one request follow each other, and share its number', async () => {
    await a.browser([a.event(), a.event({ url: 'https://example.com/2' })])
    await a.browser(a.event({ url: 'https://example.com/3' }))
    const stored = await a.stored()
    expect(stored.map(({ path }) => path)).toEqual(['/', '/2', '/3'])
    const [one, two, three] = stored.map(({ seq, request }) => [BigInt(seq), BigInt(request)] as const)
    expect(two).toEqual([(one?.[0] as bigint) + 1n, one?.[0]])
    expect(three?.[1]).toBe(three?.[0])
    expect(three?.[0]).toBeGreaterThan(two?.[0] as bigint)
  })

  test('increases over a restart, even with a clock that was set back', async () => {
    await a.browser(a.event())
    const [before] = await a.stored()
    await a.service.installation.close()
    const again = await openTestService('2026-03-10T11:00:00Z', a.service.folder, { collects: {} })
    const headers = { 'user-agent': BROWSER, origin: 'https://example.com' }
    const body = JSON.stringify(a.event({ url: 'https://example.com/after' }))
    expect(await again.ask('/collect', { method: 'POST', key: null, body, headers })).toMatchObject({ status: 202 })
    a = { ...a, service: again, close: () => again.close() }
    await again.collector?.settle()
    const { evidence } = again.crawlers
    const after = await evidence.all(eventsAfter(before?.seq as string))
    expect(after).toEqual([{ path: '/after' }])
  })

  test('numbers rise through small and large steps of the clock', () => {
    const clock = fakeClock(NOW)
    const order = openReceiptOrder(clock, 0n)
    let last = -1n
    for (const step of [0, 0, 5, -3, 0, -1_500, 4_000, -HOUR_MS, 1, DAY_MS, 0]) {
      clock.set(clock.now() + step)
      const { first, at, text } = order.take(20)
      expect(first).toBeGreaterThan(last)
      expect(text).toBe(new Date(at).toISOString().slice(0, -1).replace('T', ' '))
      expect(Math.abs(at - clock.now())).toBeLessThanOrEqual(2_000)
      last = first + 19n
    }
  })
})

describe('visitors', () => {
  const visitors = async () => (await a.stored()).map(({ visitor }) => visitor)

  test('are distinguished by address and agent, the same all day, another the next', async () => {
    const agent = { 'user-agent': `${BROWSER} Other/1` }
    await a.browser(a.event(), from('198.51.100.1'))
    await a.browser(a.event(), from('198.51.100.2'))
    await a.browser(a.event(), from('198.51.100.1', agent))
    await a.browser(a.event(), from('198.51.100.1'))
    // Only the entry that a trusted proxy wrote is believed.
    await a.browser(a.event(), from('8.8.8.8, 198.51.100.1'))
    a.service.clock.advance(DAY_MS)
    await a.browser(a.event(), from('198.51.100.1'))
    const [one, two, three, ...same] = await visitors()
    expect(new Set([one, two, three]).size).toBe(3)
    expect(same.slice(0, 2)).toEqual([one, one])
    expect([one, two, three]).not.toContain(same[2])
  })

  test('keep their hash over a restart, by the encrypted salt', async () => {
    await a.browser(a.event(), from('198.51.100.1'))
    const [before] = await visitors()
    await a.service.installation.close()
    const again = await openTestService(NOW, a.service.folder, { collects: {} })
    const headers = { 'user-agent': BROWSER, origin: 'https://example.com', ...from('198.51.100.1') }
    await again.ask('/collect', { method: 'POST', key: null, body: JSON.stringify(a.event()), headers })
    await again.collector?.settle()
    a = { ...a, service: again, rows: a.rows, close: () => again.close() }
    expect(await again.crawlers.evidence.all(visitorsOf)).toEqual([{ visitors: 1, first: before }])
  })

  test('are accepted with their orders even if the secret key is lost, as by a restore without it', async () => {
    const sale = { v: 1, type: 'revenue', revenue: { amount_minor: 1999, currency: 'EUR', order_id: 'A-1' } }
    await a.browser(a.event(sale))
    const [before] = await a.stored()
    await a.service.installation.close()
    rmSync(join(a.service.folder, 'secret.key'))
    const again = await openTestService(NOW, a.service.folder, { collects: {} })
    a = { ...a, service: again, close: () => again.close() }
    const ask = (path: string, body: unknown, headers: Record<string, string>) =>
      again.ask(path, { method: 'POST', key: null, body: JSON.stringify(body), headers })
    const headers = { 'user-agent': BROWSER, origin: 'https://example.com' }
    const answer = await ask('/collect', [a.event(), a.event(sale)], headers)
    expect(answer).toMatchObject({ status: 202, json: { accepted: 2, rejected: [] } })
    const id = crypto.randomUUID()
    expect(await ask('/collect/server', { ...sale, id }, { authorization: `Bearer ${a.server_key}` })).toMatchObject({
      status: 202,
      json: { accepted: 1 },
    })
    await again.collector?.settle()
    const keys = await again.crawlers.evidence.all(orderKeys)
    expect(keys).toHaveLength(2)
    expect(keys).toContainEqual({ order_key: before?.order_key, reports: 1 })
  })

  test('are matched by their first key again once a wrong secret key gave way to the right one', async () => {
    const sale = { v: 1, type: 'revenue', revenue: { amount_minor: 1999, currency: 'EUR', order_id: 'A-1' } }
    await a.browser(a.event(sale))
    const [first] = await a.stored()
    const right = join(a.service.folder, 'secret.key')
    for (const change of [() => renameSync(right, `${right}.kept`), () => renameSync(`${right}.kept`, right)]) {
      await a.service.installation.close()
      change()
      const again = await openTestService(NOW, a.service.folder, { collects: {} })
      a = { ...a, service: again, close: () => again.close() }
      const answer = await again.ask('/collect', {
        method: 'POST',
        key: null,
        body: JSON.stringify([a.event(sale)]),
        headers: { 'user-agent': BROWSER, origin: 'https://example.com' },
      })
      expect(answer).toMatchObject({ status: 202, json: { accepted: 1, rejected: [] } })
      await again.collector?.settle()
    }
    const keys = await a.service.crawlers.evidence.all(orderKeys)
    expect(keys).toHaveLength(2)
    expect(keys).toContainEqual({ order_key: first?.order_key, reports: 2 })
    const { db } = a.service.installation.control
    expect(await db.selectFrom('earlier_order_keys').selectAll().execute()).toHaveLength(1)
  })

  test('leave neither address nor agent in the folder', async () => {
    await a.browser(a.event(), from('198.51.100.77'))
    await a.collector.mark()
    await a.collector.settle()
    const { db } = a.service.installation.control
    const [salt] = await db.selectFrom('visitor_salts').selectAll().execute()
    expect(salt).toMatchObject({ day: '2026-03-10', sealed_salt: expect.stringMatching(/^v1\./) })
    for (const file of ['control.sqlite', 'control.sqlite-wal']) {
      const bytes = readFileSync(join(a.service.folder, file))
      expect(bytes.includes('198.51.100.77')).toBe(false)
      expect(bytes.includes(BROWSER)).toBe(false)
    }
  })

  test('lose their salt an hour after its day', async () => {
    await a.browser(a.event())
    const { control } = a.service.installation
    const { clock } = a.service
    const [salt] = await control.db.selectFrom('visitor_salts').selectAll().execute()
    clock.set('2026-03-11T00:59:59.999Z')
    expect(await deleteOldSalts({ control, clock })).toBe(0)
    clock.set('2026-03-11T01:00:00Z')
    expect(await deleteOldSalts({ control, clock })).toBe(1)
    for (const file of ['control.sqlite', 'control.sqlite-wal']) {
      const bytes = readFileSync(join(a.service.folder, file))
      expect(bytes.includes(salt?.sealed_salt as string)).toBe(false)
    }
  })
})

test('a process forgets the salt too, even without a visitor on the next day', async () => {
  const { clock, installation } = a.service
  const day = utcDay(clock.now())
  const visitors = openVisitors({ ...installation, clock })
  const salt = await visitors.load(day)
  clock.set('2026-03-11T00:59:59.999Z')
  visitors.forgetOld()
  expect(visitors.peek(day)).toBe(salt)
  clock.set('2026-03-11T01:00:00Z')
  visitors.forgetOld()
  expect(visitors.peek(day)).toBeUndefined()
})

test('a salt is kept under a wrong secret key, and is used again with the right one', async () => {
  const { clock, installation } = a.service
  const day = utcDay(clock.now())
  const [first = '', second = '', third = ''] = ['1', '2', '3'].map((digit) => digit.repeat(64))
  const under = (secret_key: string) =>
    openVisitors({ ...installation, clock, secrets: openSecretBox(a.service.folder, { secret_key }) }).load(day)
  const salt = await under(first)
  const wrong = await under(second)
  expect(await under(third)).not.toBe(wrong)
  expect([await under(second), await under(first)]).toEqual([wrong, salt])
  clock.set('2026-03-11T01:00:00Z')
  await deleteOldSalts({ ...installation, clock })
  expect(await installation.control.db.selectFrom('visitor_salts').selectAll().execute()).toEqual([])
})

test('bots are stored separately, without a visitor, counted separately, and make no day dirty', async () => {
  await a.browser(a.event(), { 'user-agent': 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)' })
  await a.browser(a.event(), { 'user-agent': 'curl/8.5.0' })
  await a.browser(a.event(), { 'user-agent': '' })
  expect((await a.stored()).map(({ stream, visitor }) => [stream, visitor])).toEqual(Array(3).fill(['bot', '0']))
  await a.collector.mark()
  const { db } = a.service.installation.control
  const counts = await db.selectFrom('collection_counts').select(['outcome', 'reason', 'events']).execute()
  expect(counts).toEqual([{ outcome: 'bot', reason: '', events: 3 }])
  expect(await db.selectFrom('dirty_days').selectAll().execute()).toEqual([])
  expect(await db.selectFrom('trackers').select('first_event_at').execute()).toEqual([{ first_event_at: null }])
})

describe('marks', () => {
  const runs = async () => {
    const { db } = a.service.installation.control
    const rows = await db.selectFrom('collector_runs').selectAll().orderBy('from_at').orderBy('through_at').execute()
    const at = Date.parse(NOW)
    return rows.map(({ from_at, through_at }) => [(from_at - at) / 1_000, (through_at - at) / 1_000])
  }

  test('advance while the collector is up; a silence of more than 90 s is kept', async () => {
    a.service.clock.advance(30_000)
    await a.collector.mark()
    a.service.clock.advance(90_000)
    await a.collector.mark()
    expect((await runs()).slice(1)).toEqual([[0, 120]])
    a.service.clock.advance(91_000)
    await a.collector.mark()
    expect((await runs()).slice(1)).toEqual([
      [0, 120],
      [211, 211],
    ])
  })

  test('are moved by a stop, which also writes the counts', async () => {
    await a.browser(a.event())
    a.service.clock.advance(10_000)
    await a.collector.stop()
    expect((await runs()).at(-1)).toEqual([0, 10])
    expect(await a.rows()).toHaveLength(1)
    const { db } = a.service.installation.control
    expect(await db.selectFrom('collection_counts').select(['outcome', 'events']).execute()).toEqual([
      { outcome: 'accepted', events: 1 },
    ])
  })

  test('do not advance while the collector is paused, because its stores accept nothing', async () => {
    a.service.clock.advance(10_000)
    a.collector.pause()
    await a.collector.stop()
    expect((await runs()).at(-1)).toEqual([0, 0])
    a.collector.resume()
    await a.collector.stop()
    expect((await runs()).at(-1)).toEqual([0, 10])
  })

  test('a day is marked dirty with a number that rises', async () => {
    const { db } = a.service.installation.control
    const marked = async () => (await db.selectFrom('dirty_days').select('marked').execute())[0]?.marked as number
    await a.browser(a.event())
    await a.stored()
    const first = await marked()
    await a.browser(a.event())
    await a.stored()
    const second = await marked()
    expect(second).toBeGreaterThan(first)
    await db.deleteFrom('dirty_days').execute()
    a.service.clock.advance(5)
    await a.browser(a.event())
    await a.stored()
    expect(await marked()).toBeGreaterThan(second)
  })
})
