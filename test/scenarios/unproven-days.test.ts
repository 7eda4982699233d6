/** What proves a day of visitors, and what every answer says of days that nothing proves (rules 6). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '#clock.ts'
import { dayStart } from '#days/utc-day.ts'
import { enforceVisitorRetention } from '#retention/enforce-visitor-retention.ts'
import type { Site } from '#sites/site.ts'
import { addConversion } from '#tracker/definitions/conversions.ts'
import { readConversionInput, readFunnelInput } from '#tracker/definitions/definition-input.ts'
import { addFunnel } from '#tracker/definitions/funnels.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { enableTracker, storeEvents, type TestEvent } from '../support/tracker.ts'

const NOW = '2026-03-10T12:00:00Z'
let service: TestService
let sites = 0

beforeAll(async () => {
  service = await openTestService(NOW)
  await service.addSite('first.example')
  await service.createKey()
})
afterAll(() => service.close())

const db = () => service.installation.control.db
const definitions = () => ({ control: service.installation.control, clock: service.clock })

async function trackedSite(from = '2026-02-01T00:00:00Z'): Promise<Site> {
  const site = await service.addSite(`site-${++sites}.example`)
  await enableTracker(service, site, { from, through: NOW })
  return site
}

const day = (date: string) => `2026-03-${date}T10:00:00Z`
const view = (date: string): TestEvent => ({ at: day(date) })
const sale = (date: string): TestEvent => ({
  at: day(date),
  stream: 'server',
  visitor: 0,
  kind: 'revenue',
  revenue: { kind: 'sale', amount_minor: 100, currency: 'EUR' },
})

const prove = (site: Site, proof: 'inspection' | 'script_load', ...dates: string[]) =>
  db()
    .insertInto('snippet_proofs')
    .values(
      dates.map((date) => ({ site_id: site.id, day: `2026-03-${date}`, proof, proved_at: Date.parse(day(date)) })),
    )
    .execute()

interface Answers {
  meta: { measurement_state: string; completeness: { gaps: { from: string; to: string }[]; limitations: string[] } }
  metrics: { sessions: number | null; bounce_rate: number | null }
  trend: { day: string; sessions: number | null }[]
  acquisition: unknown
  summary: { sessions: number | null; pageviews: number | null }
  conversions: {
    evidence_state: string
    metrics: {
      converted_sessions: number | null
      conversion_events: number | null
      sessions: number | null
      rate: number | null
      quality: string
    }
  }[]
  funnels: { evidence_state: string; metrics: { entered_sessions: number | null; entered_quality: string } }[]
  closed_sessions: number | null
  quality: string
  reported: { sales_count: number }[] | null
}

async function ask(site: Site, path: string): Promise<Answers> {
  const answer = await service.ask(`/v1/sites/${site.id}/${path}?window=3d`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json as never
}

async function define(site: Site) {
  await addConversion(definitions(), {
    site,
    definition: readConversionInput({ name: 'Sale', matcher: { kind: 'event', event_name: 'revenue' } }),
  })
  const page = (path: string) => ({ kind: 'page', path })
  await addFunnel(definitions(), {
    site,
    definition: readFunnelInput({ name: 'Buy', steps: [page('/'), page('/pay')] }),
  })
}

/** What every answer says of visits and of what servers reported. */
async function everyAnswer(site: Site) {
  const [overview, sources, pages, conversions, funnels, journeys, revenue] = await Promise.all(
    ['overview', 'analytics-sources', 'pages', 'conversions', 'funnels', 'journeys', 'revenue'].map((path) =>
      ask(site, path),
    ),
  )
  return {
    trend: overview?.trend.map(({ sessions }) => sessions),
    sessions: overview?.metrics.sessions,
    acquisition: sources?.acquisition,
    pageviews: pages?.summary.pageviews,
    converted: conversions?.conversions[0]?.metrics,
    entered: funnels?.funnels[0]?.metrics.entered_sessions,
    closed: journeys?.closed_sessions,
    sales: revenue?.reported?.reduce((sum, row) => sum + row.sales_count, 0),
    gaps: overview?.meta.completeness.gaps,
    limitations: overview?.meta.completeness.limitations,
  }
}

const NO_VISITS = {
  trend: [null, null, null],
  sessions: null,
  acquisition: null,
  pageviews: null,
  entered: null,
  closed: null,
}

test.each([
  ['no other reason', () => Promise.resolve()],
  [
    'an interruption',
    async (site: Site) => {
      const lost = ['08', '09', '10'].map((date) => ({
        site_id: site.id,
        day: `2026-03-${date}`,
        outcome: 'refused',
        reason: 'rate_limited',
        events: 1,
        last_at: Date.parse(day(date)),
      }))
      await db()
        .insertInto('collection_counts')
        .values(lost as never)
        .execute()
    },
  ],
  [
    'a pause of its owner',
    async (site: Site) => {
      const pauses = ['08', '09', '10'].map((date) => ({
        site_id: site.id,
        from_at: Date.parse(day(date)),
        to_at: Date.parse(day(date)) + 60_000,
      }))
      await db().insertInto('tracker_pauses').values(pauses).execute()
    },
  ],
])('sessions of days on which only servers reported are unknown, even with %s', async (_name, impair) => {
  const site = await trackedSite()
  await storeEvents(service, site, [view('01'), sale('08'), sale('09'), sale('10')])
  await define(site)
  await impair(site)
  expect(await everyAnswer(site)).toMatchObject({
    ...NO_VISITS,
    converted: {
      converted_sessions: null,
      conversion_events: 3,
      sessions: null,
      rate: null,
      quality: 'observed_lower_bound',
    },
    sales: 3,
  })
})

test('a script load proves a visit, not that none happened: the day is partial, and every count of it is null', async () => {
  const site = await trackedSite()
  await storeEvents(service, site, [view('01'), view('09')])
  await define(site)
  await prove(site, 'script_load', '08', '10')
  expect(await everyAnswer(site)).toMatchObject({
    trend: [null, 1, null],
    sessions: 1,
    pageviews: 1,
    entered: 1,
    closed: 1,
    converted: { converted_sessions: 0, sessions: 1, quality: 'observed_lower_bound' },
    gaps: [],
    limitations: expect.arrayContaining(['loads_without_events']),
  })
  const without = await trackedSite()
  await storeEvents(service, without, [view('01')])
  await define(without)
  await prove(without, 'script_load', '08', '09', '10')
  expect(await everyAnswer(without)).toMatchObject({
    ...NO_VISITS,
    converted: { converted_sessions: null, conversion_events: null, sessions: null, quality: 'unknown' },
    sales: undefined,
    gaps: [],
  })
  expect((await ask(without, 'funnels')).funnels[0]).toMatchObject({
    evidence_state: 'unknown',
    metrics: { entered_sessions: null, entered_quality: 'unknown' },
  })
})

test('a day without an accepted event is a proven zero when the inspection found the snippet, with loads or without', async () => {
  const site = await trackedSite()
  await storeEvents(service, site, [view('01'), view('10')])
  await define(site)
  await prove(site, 'inspection', '08', '09')
  await prove(site, 'script_load', '09')
  expect(await everyAnswer(site)).toMatchObject({
    trend: [0, 0, 1],
    sessions: 1,
    entered: 1,
    closed: 1,
    gaps: [],
    converted: { converted_sessions: 0, conversion_events: 0, sessions: 1, quality: 'exact' },
  })
})

test("coverage of browsers begins with their first event, not with a server's; their first day is partial", async () => {
  const site = await trackedSite()
  await storeEvents(service, site, [sale('01'), sale('08'), view('09'), sale('09'), view('10')])
  await define(site)
  expect(await everyAnswer(site)).toMatchObject({
    trend: [null, 1, 1],
    sessions: 2,
    sales: 2,
    gaps: [{ from: '2026-03-08', to: '2026-03-08' }],
    converted: { converted_sessions: 0, conversion_events: 2, sessions: 2, quality: 'observed_lower_bound' },
    limitations: ['evidence_begins', 'no_signal', 'observed_browsers_only'],
  })
  expect((await ask(site, 'revenue')).meta.completeness.limitations).toContain('evidence_begins')
})

test('coverage of browsers begins with a proven snippet too: the next day is complete, its first event or not', async () => {
  const site = await trackedSite()
  await storeEvents(service, site, [sale('01'), view('10')])
  await prove(site, 'inspection', '08', '09')
  const { trend, meta } = await ask(site, 'overview')
  expect(trend.map(({ sessions }) => sessions)).toEqual([0, 0, 1])
  expect(meta.completeness).toMatchObject({ gaps: [], limitations: ['evidence_begins', 'observed_browsers_only'] })
})

test('the first day of browsers stays the first one when retention has deleted what proves it', async () => {
  const site = await trackedSite()
  await storeEvents(service, site, [sale('01'), view('02'), view('08'), view('09'), view('10')])
  await db().updateTable('sites').set({ retention_days: 3 }).where('id', '=', site.id).execute()
  await enforceVisitorRetention({ ...service.crawlers, control: service.installation.control })
  const { limitations } = (await ask(site, 'overview')).meta.completeness
  expect(limitations).toEqual(['observed_browsers_only'])
  expect(dayStart('2026-03-10') - dayStart('2026-03-07')).toBe(3 * DAY_MS)
})

test('each site deletes days by its own retention', async () => {
  const KEPT = { 3: ['2026-03-07'], 8: ['2026-03-02', '2026-03-07'], 90: ['2026-03-01', '2026-03-02', '2026-03-07'] }
  const kept: Record<string, string[]> = {}
  const tracked = new Map<string, Site>()
  for (const days of Object.keys(KEPT)) {
    const site = await trackedSite()
    await prove(site, 'script_load', '01', '02', '07')
    await db()
      .updateTable('sites')
      .set({ retention_days: Number(days) })
      .where('id', '=', site.id)
      .execute()
    tracked.set(days, site)
  }
  await enforceVisitorRetention({ ...service.crawlers, control: service.installation.control })
  for (const [days, site] of tracked) {
    const proofs = db().selectFrom('snippet_proofs').select('day').where('site_id', '=', site.id)
    kept[days] = (await proofs.orderBy('day').execute()).map(({ day }) => day)
  }
  expect(kept).toEqual(KEPT)
})
