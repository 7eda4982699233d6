/** The eight answers speak of the same sessions and days: what one calls a gap, no other counts (spec 1, rules 6). */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Site } from '#sites/site.ts'
import { addConversion } from '#tracker/definitions/conversions.ts'
import { readConversionInput, readFunnelInput } from '#tracker/definitions/definition-input.ts'
import { deriveDefinitions } from '#tracker/definitions/derive-definitions.ts'
import { addFunnel } from '#tracker/definitions/funnels.ts'
import { deriveDays } from '#tracker/sessions/derive-sessions.ts'
import { serviceOfFile } from '../support/fresh.ts'
import type { TestService } from '../support/service.ts'
import { enableTracker, storeEvents, type TestEvent } from '../support/tracker.ts'

const NOW = '2026-03-10T12:00:00Z'
let service: TestService
let site: Site

const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh(NOW)
  site = await service.addSite('example.com')
  await service.createKey()
})

const definitions = () => ({ control: service.installation.control, clock: service.clock })
const collection = { readableThrough: () => service.clock.now() }
const db = () => service.installation.control.db

/** Each visitor comes by a tagged link, sees two pages, signs up and buys. */
const visits = (day: string, visitors: number): TestEvent[] =>
  Array.from({ length: visitors }, (_, visitor): TestEvent[] => [
    { at: `${day}T08:00:00Z`, visitor, path: '/', utm: { source: 'letter' } },
    { at: `${day}T08:00:05Z`, visitor, path: '/pricing' },
    { at: `${day}T08:00:09Z`, visitor, kind: 'event', name: 'signup', path: '/pricing' },
    {
      at: `${day}T08:00:12Z`,
      visitor,
      kind: 'revenue',
      path: '/pricing',
      revenue: { kind: 'sale', amount_minor: 100, currency: 'EUR' },
    },
  ]).flat()

async function define() {
  await addConversion(definitions(), {
    site,
    definition: readConversionInput({ name: 'Signup', matcher: { kind: 'event', event_name: 'signup' } }),
  })
  const page = (path: string) => ({ kind: 'page', path })
  const steps = [page('/'), page('/pricing')]
  await addFunnel(definitions(), { site, definition: readFunnelInput({ name: 'Buy', steps }) })
}

interface Answers {
  metrics: { sessions: number; conversions: number }
  trend: { day: string; sessions: number | null; conversions: number | null }[]
  closed_sessions: number
  acquisition: { sessions: number }[]
  utm: { source: { denominator: number } }
  summary: { sessions: number }
  pages: { conversions: number | null }[]
  conversions: { metrics: { converted_sessions: number; sessions: number } }[]
  funnels: { metrics: { entered_sessions: number } }[]
  reported: { sales_count: number }[]
}

const ask = async (path: string): Promise<Answers> => {
  const answer = await service.ask(`/v1/sites/${site.id}/${path}?window=30d`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json as never
}

/** The number of sessions, as each answer has it. */
const sessionsOfAll = async () => ({
  overview: (await ask('overview')).metrics.sessions,
  trend: (await ask('overview')).trend.reduce((sum, row) => sum + Number(row.sessions), 0),
  converted: (await ask('overview')).metrics.conversions,
  closed: (await ask('overview')).closed_sessions,
  sources: (await ask('analytics-sources')).acquisition.reduce((sum, row) => sum + row.sessions, 0),
  tagged: (await ask('analytics-sources')).utm.source.denominator,
  pages: (await ask('pages')).summary.sessions,
  on_pages: (await ask('pages')).pages.reduce((sum, row) => sum + Number(row.conversions), 0),
  conversions: (await ask('conversions')).conversions[0]?.metrics,
  journeys: (await ask('journeys')).closed_sessions,
  funnels: (await ask('funnels')).funnels[0]?.metrics.entered_sessions,
  revenue: (await ask('revenue')).reported[0]?.sales_count,
})

const everywhere = (sessions: number) => ({
  overview: sessions,
  trend: sessions,
  converted: sessions,
  closed: sessions,
  sources: sessions,
  tagged: sessions,
  pages: sessions,
  on_pages: sessions,
  journeys: sessions,
  funnels: sessions,
  revenue: sessions,
  conversions: expect.objectContaining({ converted_sessions: sessions, sessions }),
})

describe('one number in every answer', () => {
  test('a day that has outlived its retention counts nowhere, before its evidence is deleted too', async () => {
    await enableTracker(service, site, { from: '2026-02-01T00:00:00Z', through: NOW })
    await storeEvents(service, site, [...visits('2026-02-27', 6), ...visits('2026-02-28', 7)])
    await storeEvents(service, site, [...visits('2026-03-08', 12), ...visits('2026-03-10', 5)])
    await define()
    expect(await sessionsOfAll()).toEqual(everywhere(30))
    await db().updateTable('sites').set({ retention_days: 9 }).where('id', '=', site.id).execute()
    expect(await sessionsOfAll()).toEqual(everywhere(17))
    await deriveDays({ ...service.crawlers, collection })
    await deriveDefinitions(service.crawlers)
    expect(await sessionsOfAll()).toEqual(everywhere(17))
    await db().updateTable('sites').set({ retention_days: 10 }).where('id', '=', site.id).execute()
    expect(await sessionsOfAll()).toEqual(everywhere(24))
  })

  test('what counted on unobserved days is unknown, whatever the rest of the window knows', async () => {
    await enableTracker(service, site, { from: '2026-02-01T00:00:00Z', through: NOW })
    await storeEvents(service, site, [...visits('2026-02-27', 2), ...visits('2026-03-10', 5)])
    await define()
    for (const table of ['conversion_revisions', 'funnel_revisions'] as const) {
      await db()
        .updateTable(table)
        .set({ effective_from: Date.parse('2026-03-02T00:00:00Z'), effective_to: Date.parse('2026-03-05T00:00:00Z') })
        .execute()
    }
    expect((await ask('conversions')).conversions[0]).toMatchObject({
      evidence_state: 'unknown',
      metrics: { converted_sessions: null, conversion_events: null, quality: 'unknown', rate: null, sessions: 7 },
    })
    expect((await ask('funnels')).funnels[0]).toMatchObject({
      evidence_state: 'unknown',
      evaluation_coverage: { state: 'unknown', core_collection: 'unknown', event_order: 'unknown' },
      metrics: { entered_sessions: null, entered_quality: 'unknown', completed_sessions: null, completion_rate: null },
    })
  })

  test('where only servers were heard, their events are counted and sessions are unknown to every answer', async () => {
    await enableTracker(service, site, { from: '2026-03-01T00:00:00Z', through: NOW })
    const bought = { stream: 'server', visitor: 0, kind: 'revenue' } as const
    const revenue = { kind: 'sale', amount_minor: 100, currency: 'EUR', order_key: '7' } as const
    await storeEvents(service, site, [{ at: '2026-03-09T10:00:00Z', ...bought, revenue }])
    await addConversion(definitions(), {
      site,
      definition: readConversionInput({ name: 'Sale', matcher: { kind: 'event', event_name: 'revenue' } }),
    })
    const metrics = { converted_sessions: null, conversion_events: 1, rate: null, sessions: null }
    expect((await ask('conversions')).conversions[0]).toMatchObject({ evidence_state: 'partial', metrics })
    expect((await ask('overview')).metrics).toMatchObject({ sessions: null, conversions: null })
    expect((await ask('revenue')).reported).toMatchObject([{ sales_count: 1 }])
    expect((await ask('journeys')).closed_sessions).toBeNull()
  })

  test('conversions are null, not zero, where none was in force', async () => {
    await enableTracker(service, site, { from: '2026-02-01T00:00:00Z', through: NOW })
    await storeEvents(service, site, visits('2026-02-27', 2))
    await storeEvents(service, site, [
      ...visits('2026-03-08', 3),
      ...visits('2026-03-09', 4),
      ...visits('2026-03-10', 5),
    ])
    await define()
    const inForce = async (from: string, to: string) => {
      await db()
        .updateTable('conversion_revisions')
        .set({ effective_from: Date.parse(from), effective_to: Date.parse(to) })
        .execute()
      const { metrics, trend } = await ask('overview')
      const { pages } = await ask('pages')
      const last = trend.slice(-4).map((row) => row.conversions)
      return [metrics.conversions, last, pages[0]?.conversions]
    }
    expect(await inForce('2026-03-09T00:00:00Z', '2026-03-10T00:00:00Z')).toEqual([4, [null, null, 4, null], 0])
    expect(await inForce('2026-03-09T09:00:00Z', '2026-03-10T00:00:00Z')).toEqual([0, [null, null, 0, null], 0])
    // Of the window only unobserved days: no number either.
    expect(await inForce('2026-03-01T00:00:00Z', '2026-03-07T00:00:00Z')).toEqual([
      null,
      [null, null, null, null],
      null,
    ])
    expect(await inForce('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z')).toEqual([
      null,
      [null, null, null, null],
      null,
    ])
  })
})
