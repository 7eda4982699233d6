/** Events of development origins: taken as visitors' are, and in no answer that does not ask for them (rules 6.14). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '#clock.ts'
import { openAuthority } from '#crawlers/authority/open-authority.ts'
import { history } from '#demo/history.ts'
import type { Site } from '#sites/site.ts'
import { readAnalyticsSources } from '#tracker/analytics-sources.ts'
import { readConversions } from '#tracker/conversions.ts'
import { addConversion } from '#tracker/definitions/conversions.ts'
import { readConversionInput } from '#tracker/definitions/definition-input.ts'
import { addDevelopmentOrigin, removeDevelopmentOrigin } from '#tracker/development/origins.ts'
import { readEvents } from '#tracker/events.ts'
import { readFunnels } from '#tracker/funnels.ts'
import { readOverview } from '#tracker/overview.ts'
import { readAnalyticsPages } from '#tracker/pages.ts'
import { deriveDays } from '#tracker/sessions/derive-sessions.ts'
import { BROWSER } from '../../support/collect.ts'
import { openTestService, type TestService } from '../../support/service.ts'
import { enableTracker } from '../../support/tracker.ts'

const NOW = '2026-03-10T12:00:00Z'
const LOCALHOST = 'http://localhost:3000'
const WITH: { window: '7d'; include: ['development'] } = { window: '7d', include: ['development'] }

let service: TestService
let site: Site
let key: string
let sites = 0

beforeAll(async () => {
  service = await openTestService(NOW, undefined, { collects: { limits: { address: FEW, site: FEW } } })
})
afterAll(() => service.close())
beforeEach(async () => {
  service.clock.set(NOW)
  site = await service.addSite(`shop-${++sites}.example`)
  const keys = await enableTracker(service, site, { from: '2026-03-01T00:00:00Z', through: '2026-03-20T00:00:00Z' })
  key = keys.public_key
})

const FEW = { per_second: 1, burst: 10 }
const collector = () => {
  if (service.collector === null) throw new Error('a service that collects has a collector')
  return service.collector
}
const definitions = () => ({ control: service.installation.control, clock: service.clock })
const allow = () => addDevelopmentOrigin(definitions(), { site, origin: LOCALHOST })
const event = (over: object = {}, origin = LOCALHOST) => ({
  v: 1,
  site: key,
  type: 'pageview',
  url: `${origin}/pricing`,
  id: crypto.randomUUID(),
  ...over,
})
const send = (body: unknown, headers: Record<string, string> = {}) =>
  service.ask('/collect', {
    method: 'POST',
    key: null,
    body: JSON.stringify(body),
    // Each test has an address of its own, because limits are those of an address.
    headers: { 'user-agent': BROWSER, origin: LOCALHOST, 'x-forwarded-for': `198.51.100.${sites}`, ...headers },
  })
const visit = (body: object = {}) =>
  send(event({ url: `https://${site.root_domain}/`, ...body }), { origin: `https://${site.root_domain}` })
const context = () => ({ ...service.crawlers, site, collection: collector() })
const settle = async () => {
  await collector().settle()
  await collector().mark()
}

describe('a page on a development origin', () => {
  beforeEach(allow)

  test('is in every answer on request, and does not change others', async () => {
    await addConversion(definitions(), {
      site,
      definition: readConversionInput({ name: 'Signup', matcher: { kind: 'event', event_name: 'signup' } }),
    })
    const before = lasting(await everyAnswer())
    expect(await send([event(), event({ type: 'event', name: 'signup' })])).toMatchObject({
      status: 202,
      json: { accepted: 2, rejected: [] },
    })
    await settle()
    service.clock.advance(60_000)
    expect(lasting(await everyAnswer())).toEqual(before)
    const { overview, sources, pages, conversions, funnels, events } = await everyAnswer(WITH.include)
    expect(overview).toMatchObject({
      meta: { measurement_state: 'measured', available_from: '2026-03-10' },
      metrics: { visitor_days: 1, sessions: 1, pageviews: 1, conversions: 1 },
    })
    expect(sources).toMatchObject({ acquisition: [{ channel: 'direct', sessions: 1 }] })
    expect(pages).toMatchObject({ pages: [{ hostname: 'localhost', path: '/pricing', pageviews: 1 }] })
    expect(conversions).toMatchObject({ conversions: [{ metrics: { converted_sessions: 1, conversion_events: 1 } }] })
    expect(events).toMatchObject({ events: { rows: [{ name: 'signup', events: 1, visitor_days: 1 }] } })
    for (const { meta } of [overview, sources, pages, conversions, funnels, events])
      expect(meta.completeness.limitations).toContain('development_included')
  })

  const everyAnswer = async (include?: ['development']) => {
    const asked = { window: '7d', include } as const
    const ctx = context()
    return {
      overview: await readOverview(ctx, asked),
      sources: await readAnalyticsSources(ctx, asked),
      pages: await readAnalyticsPages(ctx, { ...asked, limit: 50 }),
      conversions: await readConversions(ctx, { ...asked, limit: 100 }),
      funnels: await readFunnels(ctx, { ...asked, limit: 100, format: 'json' }),
      events: await readEvents(ctx, asked),
    }
  }
  /** Without what the time of the answer changes. */
  const lasting = (answers: object): unknown =>
    JSON.parse(
      JSON.stringify(answers, (name, value) =>
        ['as_of', 'cutoff', 'data_through', 'checked_at'].includes(name) ? null : value,
      ),
    )

  test('is not said to be interrupted on the day on which the collector and the tracker began', async () => {
    const { db } = service.installation.control
    const began = Date.parse(NOW) - 10 * MINUTE_MS
    await db.updateTable('collector_runs').set({ from_at: began }).execute()
    await db.updateTable('trackers').set({ enabled_at: began }).where('site_id', '=', site.id).execute()
    await send(event())
    await settle()
    const { meta, metrics } = await readOverview(context(), WITH)
    expect(metrics.pageviews).toBe(1)
    expect(meta.completeness.limitations).toEqual([
      ...['before_first_event', 'development_included', 'evidence_begins', 'observed_browsers_only'],
    ])
  })

  test('is kept apart from the visitors of a closed day, whose build does not contain it', async () => {
    service.clock.set('2026-03-09T12:00:00Z')
    await visit()
    await send(event())
    await settle()
    service.clock.set(NOW)
    await deriveDays({ ...service.crawlers, collection: collector() } as never)
    const metrics = async (include?: ['development']) =>
      (await readOverview(context(), { window: '7d', include })).metrics
    expect(await metrics()).toMatchObject({ visitor_days: 1, sessions: 1, pageviews: 1 })
    // The same browser is another visitor on a development origin.
    expect(await metrics(['development'])).toMatchObject({ visitor_days: 2, sessions: 2, pageviews: 2 })
  })

  test('refusals, programs and opted-out visitors there are counted separately', async () => {
    // The last hour is known once the collector was up for an hour.
    service.clock.advance(HOUR_MS)
    await visit()
    const wrong = await send(event({ type: 'event', name: 'signup', props: { plan: 'pro' } }))
    expect(wrong).toMatchObject({ status: 422, json: { rejected: [{ code: 'undeclared_property' }] } })
    await send(event({ url: `https://${site.root_domain}/` }))
    await send(event(), { 'user-agent': 'GPTBot/1.2' })
    await send(event(), { 'sec-gpc': '1' })
    const again = event()
    await send(again)
    await send(again)
    await settle()
    const { excluded } = await readOverview(context(), { window: '7d' })
    expect(excluded).toEqual({ bots: 0, refused: 0, repeats: 0, opted_out: 0 })
    const asked = await readOverview(context(), WITH)
    expect(asked.excluded).toEqual({ bots: 1, refused: 2, repeats: 1, opted_out: 1 })
    expect(collector().recent?.(site.id)).toMatchObject({ accepted: 1, refused: {} })
    const { db } = service.installation.control
    expect(await db.selectFrom('refused_evidence').selectAll().where('site_id', '=', site.id).execute()).toEqual([])
  })

  test('uses nothing of the limits of visitors', async () => {
    const statuses = []
    for (let sent = 0; sent < 11; sent++) statuses.push((await send(event())).status)
    expect(statuses).toEqual([...Array(10).fill(202), 429])
    expect(await visit()).toMatchObject({ status: 202 })
    await settle()
    const { db } = service.installation.control
    const refused = db.selectFrom('collection_counts').where('site_id', '=', site.id).where('outcome', '=', 'refused')
    expect(await refused.selectAll().execute()).toEqual([])
  })

  test('does not prove a day by loading the script, even on a subdomain of the site', async () => {
    const origin = `http://staging.${site.root_domain}:8080`
    await addDevelopmentOrigin(definitions(), { site, origin })
    const load = (of: { key: string | null; referer: string }) =>
      collector().noteLoad({ ...of, user_agent: BROWSER, network: `198.51.100.${sites}` })
    const proofs = () => {
      const { db } = service.installation.control
      return db.selectFrom('snippet_proofs').select('proof').where('site_id', '=', site.id).execute()
    }
    for (const of of [key, null]) await load({ key: of, referer: `${origin}/pricing` })
    expect(await proofs()).toEqual([])
    await load({ key, referer: `https://${site.root_domain}/` })
    expect(await proofs()).toEqual([{ proof: 'script_load' }])
  })

  test('assigns no host there when the authority gate opens', async () => {
    await service.importText(site, history().on('2026-03-09').humans().crawler('gptbot').requests(1))
    await visit({ url: `https://www.${site.root_domain}/` })
    await send(event())
    await settle()
    const assigned = await openAuthority({ ...service.crawlers, site })
    expect(assigned.map(({ hostname }) => hostname)).toEqual([site.root_domain, `www.${site.root_domain}`])
  })

  test('ends when it is removed from the list; stored events are kept', async () => {
    await send(event())
    await removeDevelopmentOrigin(definitions(), { site, origin: LOCALHOST })
    service.clock.advance(3_000)
    expect(await send(event())).toMatchObject({ status: 403, json: { code: 'not_a_development_origin' } })
    await settle()
    expect((await readOverview(context(), WITH)).metrics.pageviews).toBe(1)
  })
})

test('a page on a machine that is not on the list may read what to do, and does not count as a refusal of the site', async () => {
  await visit()
  const answer = await send(event())
  expect(answer).toMatchObject({
    status: 403,
    json: {
      code: 'not_a_development_origin',
      detail: `${LOCALHOST} is not a development origin of ${site.root_domain}. Its owner adds it: spoor tracker origin add ${site.root_domain} ${LOCALHOST}`,
    },
  })
  expect(answer.headers['access-control-allow-origin']).toBe(LOCALHOST)
  const foreign = await send(event(), { origin: 'https://elsewhere.example' })
  expect(foreign).toMatchObject({ status: 403, json: { code: 'foreign_origin' } })
  expect(foreign.headers['access-control-allow-origin']).toBeUndefined()
  await settle()
  expect((await readOverview(context(), { window: '7d' })).excluded.refused).toBe(1)
})
