/** A visitor whose browser says so is not counted, and answers say that there are such visitors (rules 6). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Site } from '#sites/site.ts'
import { openTrackerReading } from '#tracker/coverage/open-reading.ts'
import { readFunnels } from '#tracker/funnels.ts'
import { readOverview } from '#tracker/overview.ts'
import { setHonoursOptOut } from '#tracker/privacy-settings.ts'
import { BROWSER } from '../../support/collect.ts'
import { openTestService, type TestService } from '../../support/service.ts'
import { enableTracker } from '../../support/tracker.ts'

const NOW = '2026-03-10T12:00:00Z'
const GPC = { 'sec-gpc': '1' }

let service: TestService
let site: Site
let key: string
let sites = 0

beforeAll(async () => {
  service = await openTestService(NOW, undefined, { collects: {} })
})
afterAll(() => service.close())
beforeEach(async () => {
  service.clock.set(NOW)
  site = await service.addSite(`shop-${++sites}.example`)
  const keys = await enableTracker(service, site, { from: '2026-03-01T00:00:00Z', through: '2026-03-20T00:00:00Z' })
  key = keys.public_key
})

const collector = () => {
  if (service.collector === null) throw new Error('a service that collects has a collector')
  return service.collector
}
const pageview = () => ({
  v: 1,
  site: key,
  type: 'pageview',
  url: `https://${site.root_domain}/`,
  id: crypto.randomUUID(),
})
const browser = (body: unknown, headers: Record<string, string> = {}) =>
  service.ask('/collect', {
    method: 'POST',
    key: null,
    body: JSON.stringify(body),
    headers: { 'user-agent': BROWSER, origin: `https://${site.root_domain}`, ...headers },
  })
const context = () => ({ ...service.crawlers, site, collection: collector() })
const overview = async () => {
  await collector().settle()
  await collector().mark()
  return readOverview(context(), { window: '3d' })
}
const day = async (date: string) => {
  await collector().settle()
  await collector().mark()
  return (await openTrackerReading(context(), { window: '3d', reader: 'overview' })).days.get(date)
}

describe('Sec-GPC: 1 and DNT: 1 on the wire', () => {
  test.each([['sec-gpc'], ['dnt']])('%s is honoured: 202, nothing stored, counted as opted out', async (header) => {
    expect(await browser([pageview(), pageview()], { [header]: '1' })).toMatchObject({
      status: 202,
      json: { accepted: 0, rejected: [], opted_out: 2 },
    })
    await browser(pageview(), { [header]: '0' })
    expect(await overview()).toMatchObject({ metrics: { pageviews: 1 }, excluded: { opted_out: 2, refused: 0 } })
  })

  test('stores nothing of the events: even invalid ones are only counted', async () => {
    expect(await browser({ ...pageview(), props: { card: '4111' } }, GPC)).toMatchObject({ status: 202 })
    await browser(pageview())
    expect(await overview()).toMatchObject({ excluded: { opted_out: 1, refused: 0 } })
  })

  test('of a program is counted as a bot, and stored no more than a visitor', async () => {
    await browser(pageview())
    expect(await browser(pageview(), { ...GPC, 'user-agent': 'GPTBot/1.2' })).toMatchObject({ status: 202 })
    expect(await overview()).toMatchObject({ excluded: { bots: 1, opted_out: 0 } })
  })

  test('is refused as any other request is: of another page, with an unknown key', async () => {
    expect(await browser(pageview(), { ...GPC, origin: 'https://elsewhere.example' })).toMatchObject({ status: 403 })
    expect(await browser({ ...pageview(), site: `spoor_pub_${'0'.repeat(32)}` }, GPC)).toMatchObject({ status: 401 })
  })

  test('is ignored if the owner of the site decides so', async () => {
    await setHonoursOptOut(service.installation, { site_id: site.id, honours_opt_out: false })
    expect(await browser(pageview(), GPC)).toMatchObject({ status: 202, json: { accepted: 1 } })
    expect(await overview()).toMatchObject({ metrics: { pageviews: 1 }, excluded: { opted_out: 0 } })
  })
})

describe('while any were excluded', () => {
  test('every answer has opted_out_visitors_not_counted, and the states of days do not change', async () => {
    service.clock.set('2026-03-09T12:00:00Z')
    await browser(pageview())
    service.clock.set(NOW)
    await browser(pageview())
    const named = async () => (await overview()).meta.completeness.limitations
    expect(await named()).not.toContain('opted_out_visitors_not_counted')
    await browser(pageview(), GPC)
    expect(await named()).toContain('opted_out_visitors_not_counted')
    const { meta } = await readFunnels(context(), { window: '3d', limit: 100, format: 'json' })
    expect(meta.completeness.limitations).toContain('opted_out_visitors_not_counted')
    expect(await day('2026-03-10')).toMatchObject({ state: 'complete', limitation: null })
  })

  test('a day with opted-out events only is partial, and its counts are null', async () => {
    service.clock.set('2026-03-09T12:00:00Z')
    await browser(pageview())
    service.clock.set(NOW)
    await browser(pageview(), GPC)
    expect(await day('2026-03-10')).toMatchObject({ state: 'partial', limitation: 'visitors_opted_out' })
    const { trend } = await overview()
    expect(trend.at(-1)).toMatchObject({ day: '2026-03-10', visitor_days: null, sessions: null, pageviews: null })
  })

  test('they are counted also before any other visitor was counted', async () => {
    await browser([pageview(), pageview()], GPC)
    await browser(pageview(), { 'user-agent': 'GPTBot/1.2' })
    expect(await overview()).toMatchObject({
      meta: { measurement_state: 'awaiting_first_evidence' },
      metrics: { sessions: null },
      excluded: { opted_out: 2, bots: 1, refused: null, repeats: null },
    })
  })

  test('a day on which the inspection found the snippet is covered: it had no visitor who allows counting', async () => {
    service.clock.set('2026-03-09T12:00:00Z')
    await browser(pageview())
    service.clock.set(NOW)
    await browser(pageview(), GPC)
    await service.installation.control.db
      .insertInto('snippet_proofs')
      .values({ site_id: site.id, day: '2026-03-10', proof: 'inspection', proved_at: Date.parse(NOW) })
      .execute()
    expect(await day('2026-03-10')).toMatchObject({ state: 'complete' })
    expect((await overview()).trend.at(-1)).toMatchObject({ sessions: 0 })
  })
})
