/** An id is the same event for 72 hours after its first receipt, within its stream (rules 6). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '#clock.ts'
import { EvidenceError } from '#evidence/errors.ts'
import type { Site } from '#sites/site.ts'
import { openTrackerReading } from '#tracker/coverage/open-reading.ts'
import { readOverview } from '#tracker/overview.ts'
import { readRevenue } from '#tracker/revenue.ts'
import { BROWSER } from '../../support/collect.ts'
import { openTestService, type TestService } from '../../support/service.ts'
import { enableTracker } from '../../support/tracker.ts'

const NOW = '2026-03-10T22:00:00Z'

let service: TestService
let site: Site
let keys: { public_key: string; server_key: string }
let sites = 0

beforeAll(async () => {
  service = await openTestService(NOW, undefined, { collects: {} })
})
afterAll(() => service.close())
beforeEach(async () => {
  service.clock.set(NOW)
  site = await service.addSite(`shop-${++sites}.example`)
  keys = await enableTracker(service, site, { from: '2026-03-01T00:00:00Z', through: '2026-03-20T00:00:00Z' })
})

const collector = () => {
  if (service.collector === null) throw new Error('a service that collects has a collector')
  return service.collector
}
const pageview = (more: Record<string, unknown> = {}) => ({
  v: 1,
  site: keys.public_key,
  type: 'pageview',
  url: `https://${site.root_domain}/`,
  id: crypto.randomUUID(),
  ...more,
})
const sale = (id: string, order_id: string | undefined = id, more: Record<string, unknown> = {}) => ({
  v: 1,
  id,
  type: 'revenue',
  revenue: { amount_minor: 1000, currency: 'EUR', ...(order_id === '' ? {} : { order_id }), ...more },
})
const browser = (body: unknown, headers: Record<string, string> = {}) =>
  service.ask('/collect', {
    method: 'POST',
    key: null,
    body: JSON.stringify(body),
    headers: { 'user-agent': BROWSER, origin: `https://${site.root_domain}`, ...headers },
  })
const server = (body: unknown) =>
  service.ask('/collect/server', {
    method: 'POST',
    key: null,
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${keys.server_key}`, 'content-type': 'application/json' },
  })
const context = () => ({ ...service.crawlers, site, collection: collector() })
const counts = async () => {
  await collector().settle()
  const rows = await service.installation.control.db
    .selectFrom('collection_counts')
    .select(['day', 'outcome', 'reason', 'events'])
    .where('site_id', '=', site.id)
    .orderBy('day')
    .orderBy('outcome')
    .execute()
  return rows.map(({ day, outcome, reason, events }) => `${day} ${outcome} ${reason} ${events}`.replace('  ', ' '))
}
const sold = async () => {
  await collector().settle()
  const { reported } = await readRevenue(context(), { window: '30d' })
  return reported?.map((row) => [row.provenance, row.sales_count, row.sales_amount_minor, row.refunds_count])
}

describe('a repeat', () => {
  test('within 72 hours of the first receipt is answered 202 and stored once, later it is a new event', async () => {
    const event = pageview()
    const first_at = Date.parse(NOW)
    expect(await browser(event)).toMatchObject({ status: 202 })
    for (const later of [5 * HOUR_MS, 26 * HOUR_MS, 72 * HOUR_MS - MINUTE_MS]) {
      service.clock.set(first_at + later)
      expect(await browser(event)).toMatchObject({ status: 202, json: { rejected: [] } })
    }
    expect(await counts()).toEqual([
      '2026-03-10 accepted 1',
      '2026-03-11 repeated 1',
      '2026-03-12 repeated 1',
      '2026-03-13 repeated 1',
    ])
    service.clock.set(first_at + 72 * HOUR_MS)
    await browser(event)
    expect((await counts()).at(-1)).toBe('2026-03-13 repeated 1')
    expect(await counts()).toContain('2026-03-13 accepted 1')
  })

  test('is found after an outage of the evidence store, whose hours share one file of the spool', async () => {
    const event = pageview()
    const first_at = Date.parse('2026-03-11T08:00:00Z')
    service.clock.set(first_at)
    await browser(event)
    await collector().settle()
    const { evidence } = service.crawlers
    const insert = evidence.insert
    let failures = 0
    evidence.insert = () => {
      failures++
      throw new EvidenceError('unavailable', 'no evidence store')
    }
    service.clock.set(first_at + 71 * HOUR_MS)
    await browser(pageview())
    await expect.poll(() => failures).toBeGreaterThan(0)
    service.clock.set(first_at + 72 * HOUR_MS - MINUTE_MS)
    await browser([pageview(), event])
    service.clock.set(first_at + 87 * HOUR_MS)
    await browser(pageview())
    evidence.insert = insert
    expect(await counts()).toEqual(['2026-03-11 accepted 1', '2026-03-14 accepted 3', '2026-03-14 repeated 1'])
  })

  test('is found within one request, in one file of the spool and over files', async () => {
    const [one, two] = [pageview(), pageview()]
    await browser([one, two, one])
    await browser([two])
    await collector().settle()
    await browser([one, pageview()])
    expect(await counts()).toEqual(['2026-03-10 accepted 3', '2026-03-10 repeated 3'])
  })

  test('is known by the id alone: events without one are all new', async () => {
    const { id: _id, ...unnamed } = pageview()
    expect(await browser([unnamed, { ...unnamed, id: null }])).toMatchObject({ status: 202, json: { accepted: 2 } })
    expect(await browser(unnamed)).toMatchObject({ status: 202, json: { accepted: 1 } })
    const signup = { v: 1, type: 'event', name: 'signup' }
    expect(await server([signup, signup])).toMatchObject({ status: 202, json: { accepted: 2 } })
    expect(await counts()).toEqual(['2026-03-10 accepted 3', '2026-03-10 accepted server 2'])
  })

  test('is one of its own stream only', async () => {
    const id = crypto.randomUUID()
    await browser(pageview({ id }))
    await browser(pageview({ id }), { 'user-agent': 'GPTBot/1.2' })
    await server(sale(id))
    await collector().settle()
    await browser(pageview({ id }))
    await browser(pageview({ id }), { 'user-agent': 'GPTBot/1.2' })
    await server(sale(id))
    expect((await counts()).sort()).toEqual([
      '2026-03-10 accepted 1',
      '2026-03-10 accepted server 1',
      '2026-03-10 bot 1',
      '2026-03-10 repeated 1',
      '2026-03-10 repeated bot 1',
      '2026-03-10 repeated server 1',
    ])
  })

  test('proves no day: a day whose only events repeat earlier ids is not a proven zero', async () => {
    const event = pageview()
    await browser(event)
    service.clock.set('2026-03-11T15:00:00Z')
    await browser(event)
    await collector().settle()
    const reading = await openTrackerReading(context(), { window: '3d', reader: 'overview' })
    expect(reading.days.get('2026-03-11')).toMatchObject({ state: 'gap', limitation: 'no_signal' })
    const { db } = service.installation.control
    const tracker = await db.selectFrom('trackers').selectAll().where('site_id', '=', site.id).executeTakeFirst()
    expect(tracker).toMatchObject({ first_event_at: Date.parse(NOW), last_event_at: Date.parse(NOW) })
    const dirty = await db.selectFrom('dirty_days').select('day').where('site_id', '=', site.id).execute()
    expect(dirty).toEqual([{ day: '2026-03-10' }])
  })

  test('proves no session, and is shown as excluded', async () => {
    const event = pageview()
    await browser([event, pageview()])
    service.clock.advance(HOUR_MS)
    await browser(event)
    await browser(pageview(), { 'user-agent': 'GPTBot/1.2' })
    await collector().settle()
    const overview = await readOverview(context(), { window: '3d' })
    expect(overview).toMatchObject({ metrics: { sessions: 1, pageviews: 2 }, excluded: { repeats: 1, bots: 1 } })
  })

  test('is known after a restart, from the evidence that is stored', async () => {
    const event = pageview()
    await browser([event, pageview()])
    await collector().stop()
    await service.installation.close()
    service = await openTestService('2026-03-12T22:00:00Z', service.folder, { collects: {} })
    await browser([pageview(), event])
    expect(await counts()).toEqual(['2026-03-10 accepted 2', '2026-03-12 accepted 1', '2026-03-12 repeated 1'])
  })

  test('is known after a restart even if the stored ids could not be read at first', async () => {
    const event = pageview()
    await browser(event)
    await collector().stop()
    await service.installation.close()
    service = await openTestService('2026-03-11T22:00:00Z', service.folder, { collects: {} })
    const { evidence } = service.crawlers
    const read = evidence.all
    let failures = 0
    evidence.all = () => {
      failures++
      throw new EvidenceError('memory', 'no memory for the ids')
    }
    await browser(event)
    await expect.poll(() => failures).toBeGreaterThan(0)
    evidence.all = read
    expect(await counts()).toEqual(['2026-03-10 accepted 1', '2026-03-11 repeated 1'])
  })
})

describe("a server's sales and refunds", () => {
  test('are one by order id, kind and id over the whole window, even after 72 hours', async () => {
    await server([sale('sale-0001', 'A-1'), sale('sale-0002', 'A-2'), sale('back-0001', 'A-1', { kind: 'refund' })])
    service.clock.set('2026-03-16T10:00:00Z')
    await server([sale('sale-0001', 'A-1'), sale('back-0001', 'A-1', { kind: 'refund' })])
    expect(await sold()).toEqual([['server', 2, 2000, 1]])
  })

  test('need an id: a request with a revenue event that has none is 400, and nothing of it is stored', async () => {
    const { id: _, ...unnamed } = sale('sale-0003')
    expect(await server([sale('sale-0004'), unnamed])).toMatchObject({ status: 400, json: { code: 'missing_id' } })
    expect(await sold()).toBeUndefined()
  })
})
