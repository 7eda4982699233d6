/** Refused events of real visitors are missing evidence: what they would have counted in is a lower bound (rules 6). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS } from '#clock.ts'
import type { Site } from '#sites/site.ts'
import { deleteOldSalts } from '#tracker/collection/visitor-salts.ts'
import { readConversions } from '#tracker/conversions.ts'
import { openTrackerReading } from '#tracker/coverage/open-reading.ts'
import { addConversion, archiveConversion, editConversion } from '#tracker/definitions/conversions.ts'
import { readConversionInput, readFunnelInput } from '#tracker/definitions/definition-input.ts'
import { addFunnel } from '#tracker/definitions/funnels.ts'
import { declareProperty } from '#tracker/definitions/properties.ts'
import { readFunnels } from '#tracker/funnels.ts'
import { readJourneys } from '#tracker/journeys.ts'
import { createTrackerKey, revokeTrackerKey } from '#tracker/keys/keys.ts'
import { readOverview } from '#tracker/overview.ts'
import { readRevenue } from '#tracker/revenue.ts'
import { BROWSER } from '../../support/collect.ts'
import { openTestService, type TestService } from '../../support/service.ts'
import { enableTracker, storeEvents } from '../../support/tracker.ts'

const DAY = '2026-03-10'
const NOW = `${DAY}T12:00:00Z`
const OF_SESSIONS = ['sessions', 'bounce_rate', 'average_session_seconds', 'pages_per_session']

let service: TestService
let site: Site
let key: string
let server_key: string
let sites = 0

beforeAll(async () => {
  service = await openTestService(NOW, undefined, {
    collects: { limits: { address: { per_second: 1, burst: 30 }, site: { per_second: 1e6, burst: 1e6 } } },
  })
})
afterAll(() => service.close())
beforeEach(async () => {
  service.clock.set('2026-03-08T12:00:00Z')
  site = await service.addSite(`shop-${++sites}.example`)
  const keys = await enableTracker(service, site, { from: '2026-03-08T00:00:00Z', through: '2026-03-20T00:00:00Z' })
  key = keys.public_key
  server_key = keys.server_key
  await define('signup')
  await define('download')
  service.clock.set('2026-03-09T12:00:00Z')
  await browser(0, pageview())
  service.clock.set(NOW)
  await browser(0, pageview())
})

const collector = () => {
  if (service.collector === null) throw new Error('a service that collects has a collector')
  return service.collector
}
const definitions = () => ({ control: service.installation.control, clock: service.clock })
const define = (event_name: string) => {
  const definition = readConversionInput({ name: event_name, matcher: { kind: 'event', event_name } })
  return addConversion(definitions(), { site, definition, effective_from: Date.parse('2026-03-08T00:00:00Z') })
}
const of = (more: Record<string, unknown>) => ({
  v: 1,
  site: key,
  url: `https://${site.root_domain}/`,
  id: crypto.randomUUID(),
  ...more,
})
const pageview = (more: Record<string, unknown> = {}) => of({ type: 'pageview', ...more })
const event = (name: string, props?: unknown) => of({ type: 'event', name, props })
/** Refused: the property is not declared. */
const wrong = (name: string) => event(name, { plan: 'pro' })
const browser = (visitor: number, body: unknown, headers: Record<string, string> = {}) =>
  service.ask('/collect', {
    method: 'POST',
    key: null,
    body: JSON.stringify(body),
    headers: {
      'user-agent': BROWSER,
      origin: `https://${site.root_domain}`,
      'x-forwarded-for': `198.51.100.${visitor}`,
      ...headers,
    },
  })
const refusedFor = async (visitors: readonly number[], make: () => unknown, headers: Record<string, string> = {}) => {
  for (const visitor of visitors) expect((await browser(visitor, make(), headers)).status).toBeGreaterThanOrEqual(400)
}
const THREE = [1, 2, 3]
const settle = async () => {
  await collector().settle()
  await collector().mark()
}
const context = () => ({ ...service.crawlers, site, collection: collector() })
const overview = async () => {
  await settle()
  return readOverview(context(), { window: '3d' })
}
const reasonOf = async (reader: Parameters<typeof openTrackerReading>[1]['reader'] = 'journeys') => {
  await settle()
  const reading = await openTrackerReading(context(), { window: '3d', reader })
  return reading.days.get(DAY)?.limitation ?? null
}
const qualities = async () => {
  await settle()
  const { conversions, meta } = await readConversions(context(), { window: '3d', limit: 100 })
  const revenue = await readRevenue(context(), { window: '3d' })
  return {
    ...Object.fromEntries(conversions.map(({ name, metrics }) => [name, metrics.quality])),
    revenue: revenue.quality,
    limited: meta.completeness.limitations.includes('events_refused'),
  }
}
/** The first day is partial anyway: these tests look at the two after it. */
const firstDay = { signup: 'observed_lower_bound', download: 'observed_lower_bound', revenue: 'observed_lower_bound' }
const onlyWholeDays = async () => {
  const { db } = service.installation.control
  await db
    .updateTable('collection_counts')
    .set({ day: '2026-03-01', last_at: Date.parse('2026-03-01T00:00:00Z') })
    .where('site_id', '=', site.id)
    .where('day', '=', '2026-03-09')
    .execute()
  await db
    .updateTable('trackers')
    .set({ first_event_at: Date.parse('2026-03-01T00:00:00Z'), enabled_at: Date.parse('2026-03-01T00:00:00Z') })
    .where('site_id', '=', site.id)
    .execute()
  await db
    .insertInto('snippet_proofs')
    .values(
      ['2026-03-08', '2026-03-09'].map((day) => ({
        site_id: site.id,
        day,
        proof: 'inspection' as const,
        proved_at: Date.parse(`${day}T12:00:00Z`),
      })),
    )
    .execute()
}

describe('a named event that was refused for three visitors', () => {
  test('makes its own conversion a lower bound and no other; sessions of the overview too, with the count', async () => {
    await settle()
    await onlyWholeDays()
    expect(await qualities()).toEqual({ signup: 'exact', download: 'exact', revenue: 'exact', limited: false })
    await refusedFor(THREE, () => wrong('signup'))
    expect(await qualities()).toEqual({
      signup: 'observed_lower_bound',
      download: 'exact',
      revenue: 'exact',
      limited: true,
    })
    const answer = await overview()
    expect(answer).toMatchObject({
      missing_events: { refused: 3, lower_bounds: [...OF_SESSIONS, 'conversions'] },
      excluded: { refused: 3 },
    })
    expect(answer.meta.completeness.limitations).toContain('events_refused')
    expect(await reasonOf('overview')).toBe('events_refused')
    expect(await reasonOf('journeys')).toBe(null)
    const journeys = await readJourneys(context(), { window: '3d', limit: 10 })
    expect(journeys.meta.completeness.limitations).not.toContain('events_refused')
  })

  test('makes a funnel with such a step a lower bound, with raw events partial, and no other funnel', async () => {
    await settle()
    await onlyWholeDays()
    const page = (path: string) => ({ kind: 'page', hostname: site.root_domain, path })
    const [signup] = (await readConversions(context(), { window: '3d', limit: 100 })).conversions.filter(
      ({ name }) => name === 'signup',
    )
    const effective_from = Date.parse('2026-03-08T00:00:00Z')
    for (const [name, second] of [
      ['pages', page('/pricing')],
      ['signups', { kind: 'conversion', conversion_id: signup?.conversion_id }],
    ] as const) {
      const definition = readFunnelInput({ name, steps: [page('/'), second] })
      await addFunnel(definitions(), { site, definition, effective_from })
    }
    await refusedFor(THREE, () => wrong('signup'))
    await settle()
    const { funnels } = await readFunnels(context(), { window: '3d', limit: 100, format: 'json' })
    expect(funnels.map(({ name, evidence_state }) => [name, evidence_state])).toEqual([
      ['pages', 'measured'],
      ['signups', 'partial'],
    ])
    expect(funnels[1]).toMatchObject({
      evaluation_coverage: { state: 'partial', raw_events: 'partial', limitations: ['events_refused'] },
      metrics: { entered_quality: 'observed_lower_bound' },
    })
  })

  test('of a name that no definition has is kept as other: it is missing from sessions, and from what is defined later', async () => {
    await settle()
    await onlyWholeDays()
    await refusedFor(THREE, () => wrong('teaser'))
    await settle()
    const { db } = service.installation.control
    const kept = await db.selectFrom('refused_evidence').selectAll().where('site_id', '=', site.id).execute()
    expect(kept).toMatchObject([{ kind: 'event', name: ':other', events: 3, visitors: 3, visitor_hashes: '' }])
    expect(await qualities()).toMatchObject({ signup: 'exact', download: 'exact' })
    expect((await overview()).missing_events).toEqual({ refused: 3, lower_bounds: OF_SESSIONS })
    service.clock.advance(1_000)
    await define('teaser')
    await define('revenue')
    expect(await qualities()).toMatchObject({ signup: 'exact', teaser: 'observed_lower_bound', revenue: 'exact' })
  })

  test('of another name is none of a name that was in force then, whatever definition is made of that later', async () => {
    await settle()
    await onlyWholeDays()
    const plan = { property_key: 'plan', scalar_kind: 'boolean' as const }
    await declareProperty(definitions(), { site_id: site.id, event_name: 'trial', ...plan })
    service.clock.advance(10_000)
    await refusedFor(THREE, () => wrong('teaser'))
    service.clock.advance(60_000)
    await editConversion(definitions(), { site, conversion: 'signup', edit: { name: 'Signed up' } })
    await archiveConversion(definitions(), { site, conversion: 'download' })
    await define('trial')
    expect(await qualities()).toMatchObject({ 'Signed up': 'exact', download: 'exact', trial: 'exact' })
    service.clock.advance(60_000)
    // For a minute nothing named it: then it may have been among the others.
    await define('download')
    const { conversions } = await readConversions(context(), { window: '3d', limit: 100 })
    const again = conversions.find(({ name, definition_state }) => name === 'download' && definition_state === 'active')
    expect(again?.metrics.quality).toBe('observed_lower_bound')
  })

  test('of a name whose definition the collector may not know yet is among the others', async () => {
    await settle()
    await onlyWholeDays()
    await browser(4, pageview())
    service.clock.advance(1_000)
    await define('teaser')
    service.clock.advance(500)
    await refusedFor(THREE, () => wrong('teaser'))
    expect(await qualities()).toMatchObject({ signup: 'exact', teaser: 'observed_lower_bound' })
  })

  test('is noise up to 0.1 % of the accepted events of the same name', async () => {
    const accepted = (name: string, count: number) =>
      Array.from({ length: count }, (_, visitor) => ({ at: NOW, visitor, kind: 'event' as const, name, path: '/' }))
    await storeEvents(service, site, [...accepted('signup', 3_000), ...accepted('download', 2_999)])
    await settle()
    await onlyWholeDays()
    await refusedFor(THREE, () => wrong('signup'))
    await refusedFor(THREE, () => wrong('download'))
    expect(await qualities()).toMatchObject({ signup: 'exact', download: 'observed_lower_bound' })
    expect((await overview()).missing_events).toMatchObject({ refused: 3 })
  })
})

describe('a refused pageview, or any event with a revoked key, is missing from every answer', () => {
  test('a pageview with a property, which pageviews do not have', async () => {
    await refusedFor(THREE, () => pageview({ props: { plan: 'pro' } }))
    expect(await qualities()).toEqual({ ...firstDay, limited: true })
    for (const reader of ['overview', 'sources', 'pages', 'journeys'] as const)
      expect(await reasonOf(reader)).toBe('events_refused')
    expect((await overview()).missing_events.lower_bounds).toHaveLength(7)
  })

  test('also from a funnel that counts only later, on a day that is partial for another reason as well', async () => {
    const { db } = service.installation.control
    const from_at = Date.parse(`${DAY}T06:00:00Z`)
    await db
      .insertInto('tracker_pauses')
      .values({ site_id: site.id, from_at, to_at: from_at + HOUR_MS })
      .execute()
    await refusedFor(THREE, () => pageview({ props: { plan: 'pro' } }))
    service.clock.set('2026-03-11T12:00:00Z')
    await browser(0, pageview())
    await settle()
    expect(await reasonOf()).toBe('disabled')
    const page = (path: string) => ({ kind: 'page', hostname: site.root_domain, path })
    const definition = readFunnelInput({ name: 'later', steps: [page('/'), page('/pricing')] })
    await addFunnel(definitions(), { site, definition, effective_from: Date.parse('2026-03-11T00:00:00Z') })
    const { funnels } = await readFunnels(context(), { window: '3d', limit: 100, format: 'json' })
    expect(funnels[0]?.evaluation_coverage).toMatchObject({
      state: 'partial',
      raw_events: 'partial',
      core_collection: 'partial',
      limitations: ['disabled', 'events_refused', 'evidence_begins'],
    })
  })

  test('the key revoked at noon: 401 revoked_key, counted, until the first event with another key is accepted', async () => {
    const old_key = key
    await settle()
    const revoke = { site_id: site.id, key: old_key }
    await revokeTrackerKey(service.installation, revoke)
    service.clock.advance(3_000)
    expect(await browser(1, pageview())).toMatchObject({ status: 401, json: { code: 'revoked_key' } })
    await refusedFor([2, 3], pageview)
    expect(await reasonOf()).toBe('events_refused')
    expect((await overview()).excluded).toMatchObject({ refused: 3 })
    const made = await createTrackerKey(service.installation, { site_id: site.id, kind: 'public' })
    key = made.secret
    service.clock.set('2026-03-11T08:00:00Z')
    await browser(4, pageview())
    await settle()
    service.clock.advance(3_000)
    key = old_key
    await refusedFor([5, 6, 7, 8], pageview)
    await settle()
    const reading = await openTrackerReading(context(), { window: '3d', reader: 'pages' })
    expect([...reading.days.values()].map(({ limitation }) => limitation)).toEqual([
      'evidence_begins',
      'events_refused',
      null,
    ])
    expect((await overview()).excluded).toMatchObject({ refused: 7 })
  })
})

describe('is not missing evidence, and only counted', () => {
  const unlimited = async (refused: number) => {
    expect(await reasonOf('overview')).toBe(null)
    expect(await overview()).toMatchObject({ missing_events: { refused: 0, lower_bounds: [] }, excluded: { refused } })
  }

  test('what two visitors sent, however often', async () => {
    await refusedFor([1, 2, 1, 2, 1, 2], () => wrong('signup'))
    await unlimited(6)
  })

  test('what programs sent, or the pages of others', async () => {
    await refusedFor(THREE, () => wrong('signup'), { 'user-agent': 'GPTBot/1.2' })
    await refusedFor(THREE, () => wrong('signup'), { origin: 'https://elsewhere.example' })
    await unlimited(6)
  })

  test('what is malformed', async () => {
    await refusedFor(THREE, () => event('signup', 'pro'))
    await refusedFor(THREE, () => event('9lives'))
    await unlimited(6)
  })

  test('what one address sent beyond its own limit', async () => {
    const many = Array.from({ length: 20 }, () => pageview())
    await browser(9, many)
    expect(await browser(9, many)).toMatchObject({ status: 429, json: { code: 'rate_limited' } })
    await unlimited(20)
  })

  test('what a server sent: it has no visitor', async () => {
    const refused = await service.ask('/collect/server', {
      method: 'POST',
      key: null,
      body: JSON.stringify(
        THREE.map((n) => ({ v: 1, id: `server-${n}`, type: 'event', name: 'signup', props: { x: 1 } })),
      ),
      headers: { authorization: `Bearer ${server_key}`, 'content-type': 'application/json' },
    })
    expect(refused.status).toBe(422)
    await unlimited(3)
  })
})

describe('visitors whose events were refused', () => {
  test('are known over a restart by their hash of the day, which is deleted with the salt of the day', async () => {
    await refusedFor([1, 2], () => wrong('signup'))
    await collector().stop()
    await service.installation.close()
    service = await openTestService(NOW, service.folder, { collects: {} })
    const stored = async () => {
      await settle()
      const { db } = service.installation.control
      return db.selectFrom('refused_evidence').selectAll().where('site_id', '=', site.id).executeTakeFirstOrThrow()
    }
    expect((await stored()).visitor_hashes.split(' ')).toHaveLength(2)
    await refusedFor([1, 2], () => wrong('signup'))
    expect(await stored()).toMatchObject({ events: 4, visitors: 2 })
    service.clock.set(Date.parse('2026-03-11T00:00:00Z') + HOUR_MS)
    await deleteOldSalts(service.installation)
    expect(await stored()).toMatchObject({ events: 4, visitors: 2, visitor_hashes: '' })
  })

  test('every declared kind of refusal counts: wrong scalar, unknown value, too many properties', async () => {
    const named = { site_id: site.id, event_name: 'signup' }
    await declareProperty(definitions(), { ...named, property_key: 'plan', scalar_kind: 'enum', enum_values: ['pro'] })
    service.clock.advance(3_000)
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, true]))
    await refusedFor([1], () => event('signup', { plan: 7 }))
    await refusedFor([2], () => event('signup', { plan: 'gold' }))
    await refusedFor([3], () => event('signup', many))
    await settle()
    const { db } = service.installation.control
    const kept = await db.selectFrom('refused_evidence').selectAll().where('site_id', '=', site.id).execute()
    expect(kept).toMatchObject([{ kind: 'event', name: 'signup', events: 3, visitors: 3 }])
  })
})
