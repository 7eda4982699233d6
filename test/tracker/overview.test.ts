import { Compile } from 'typebox/compile'
import { beforeEach, describe, expect, test } from 'vitest'
import { getAnalyticsOverview } from '#contract/site-api/overview.ts'
import { setGate } from '#sites/gates.ts'
import type { Site } from '#sites/site.ts'
import type { TrackerContext } from '#tracker/context.ts'
import { addConversion } from '#tracker/definitions/conversions.ts'
import { readConversionInput } from '#tracker/definitions/definition-input.ts'
import { readOverview } from '#tracker/overview.ts'
import { deriveDays } from '#tracker/sessions/derive-sessions.ts'
import { serviceOfFile } from '../support/fresh.ts'
import type { TestService } from '../support/service.ts'
import { enableTracker, storeEvents, type TestEvent } from '../support/tracker.ts'

const NOW = '2026-03-10T12:00:00.000Z'
const answers = Compile(getAnalyticsOverview.output)

let service: TestService
let site: Site
const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh(NOW)
  site = await service.addSite('example.com')
})

const enable = () => enableTracker(service, site, { from: '2026-03-01T00:00:00Z', through: NOW })
const store = (...events: TestEvent[]) => storeEvents(service, site, events)
const context = (): TrackerContext => ({
  ...service.crawlers,
  site,
  collection: { readableThrough: () => service.clock.now() },
})

async function read(window: '3d' | '7d' | '365d' = '3d') {
  const answer = await readOverview(context(), { window })
  expect([...answers.Errors(answer)]).toEqual([])
  return answer
}
const openV2 = () =>
  service.installation.control.transaction((tx) =>
    setGate(tx, service.crawlers, { site_id: site.id, name: 'analytics_overview_v2', is_open: true }),
  )
const NOTHING = {
  visitor_days: null,
  sessions: null,
  pageviews: null,
  bounce_rate: null,
  average_session_seconds: null,
  pages_per_session: null,
  conversions: null,
}

describe('unknown is never zero (rules 6)', () => {
  test('without a key, and with a key but no event, every number is null', async () => {
    for (const state of ['uninstalled', 'awaiting_first_evidence']) {
      const answer = await read()
      expect(answer).toMatchObject({
        meta: { contract_version: 'analytics-overview/v1', measurement_state: state },
        metrics: NOTHING,
        averaged_sessions: null,
        closed_sessions: null,
        excluded: { bots: null, refused: null },
      })
      expect(answer.trend).toEqual(
        ['08', '09', '10'].map((day) => ({
          day: `2026-03-${day}`,
          visitor_days: null,
          sessions: null,
          pageviews: null,
          conversions: null,
        })),
      )
      if (state === 'uninstalled') await enable()
    }
  })

  test('a gap has nulls, a proven day without visitors has zeros, and the sum is over covered days', async () => {
    await enable()
    await store({ at: '2026-03-01T10:00:00Z' }, { at: '2026-03-10T10:00:00Z' })
    const proved_at = Date.parse('2026-03-09T09:00:00Z')
    await service.installation.control.db
      .insertInto('snippet_proofs')
      .values({ site_id: site.id, day: '2026-03-09', proof: 'inspection', proved_at })
      .execute()
    const { trend, metrics, averaged_sessions, closed_sessions } = await read()
    expect(trend.map(({ day, sessions, conversions }) => [day, sessions, conversions])).toEqual([
      ['2026-03-08', null, null],
      ['2026-03-09', 0, null],
      ['2026-03-10', 1, null],
    ])
    const counted = { visitor_days: 1, sessions: 1, pageviews: 1, bounce_rate: 1, pages_per_session: 1 }
    expect(metrics).toEqual({ ...NOTHING, ...counted })
    expect({ averaged_sessions, closed_sessions }).toEqual({ averaged_sessions: 0, closed_sessions: 1 })
  })

  test('a store that cannot answer leaves nulls, in the first version and in the second', async () => {
    await enable()
    await openV2()
    await store({ at: '2026-03-09T10:00:00Z' }, { at: '2026-03-10T10:00:00Z' })
    const ctx = context()
    await service.crawlers.evidence.close()
    const answer = await readOverview(ctx, { window: '3d' })
    expect([...answers.Errors(answer)]).toEqual([])
    expect(answer).toMatchObject({
      meta: { contract_version: 'analytics-overview/v2', measurement_state: 'unavailable' },
      metrics: NOTHING,
      comparison: { metrics: NOTHING },
    })
  })

  test('no conversion defined is not zero conversions', async () => {
    await enable()
    await store(
      { at: '2026-03-01T10:00:00Z' },
      { at: '2026-03-09T10:00:00Z', visitor: 1, kind: 'event', name: 'signup' },
      { at: '2026-03-10T10:00:00Z', visitor: 1 },
      { at: '2026-03-10T10:01:00Z', visitor: 1, kind: 'event', name: 'signup' },
      { at: '2026-03-10T10:02:00Z', visitor: 1, kind: 'event', name: 'signup' },
    )
    expect((await read()).metrics.conversions).toBeNull()
    const definition = readConversionInput({
      name: 'Signup',
      matcher: { kind: 'event', event_name: 'signup', property_rules: [] },
    })
    const { control, clock } = service.installation
    await addConversion({ control, clock }, { site, definition, effective_from: Date.parse('2026-03-10T00:00:00Z') })
    const counted = await read()
    expect(counted.metrics.conversions).toBe(1)
    expect(counted.trend.map((row) => row.conversions)).toEqual([null, null, 1])
  })
})

describe('what a session counts for (rules 6, Overview)', () => {
  test('seconds are averaged over closed sessions of two events or more, pages and bounces over all closed sessions', async () => {
    await enable()
    await store(
      { at: '2026-03-09T23:59:59.000Z', visitor: 1 },
      // The next day is another session, however short the pause.
      { at: '2026-03-10T00:00:01.000Z', visitor: 1 },
      { at: '2026-03-10T00:01:01.500Z', visitor: 1, path: '/b' },
      // One pageview and an event is not a bounce.
      { at: '2026-03-10T09:00:00.000Z', visitor: 2 },
      { at: '2026-03-10T09:00:10.000Z', visitor: 2, kind: 'event', name: 'signup' },
      // Still open: it counts as a session and in no average.
      { at: '2026-03-10T11:30:00.001Z', visitor: 3 },
      { at: '2026-03-10T11:31:00.000Z', visitor: 3, path: '/c' },
      // Not even a pageview: closed, one event, and no bounce.
      { at: '2026-03-10T08:00:00.000Z', visitor: 4, kind: 'event', name: 'signup' },
      { at: '2026-03-10T09:00:00.000Z', stream: 'server', kind: 'revenue', visitor: 0 },
    )
    const expected = {
      metrics: {
        visitor_days: 5,
        sessions: 5,
        pageviews: 6,
        bounce_rate: 1 / 4,
        average_session_seconds: (60.5 + 10) / 2,
        pages_per_session: 4 / 4,
      },
      averaged_sessions: 2,
      closed_sessions: 4,
    }
    expect(await read()).toMatchObject(expected)
    expect(await deriveDays(context())).toBe(1)
    expect(await read()).toMatchObject(expected)
  })

  test('events after the cutoff do not count yet', async () => {
    await enable()
    await store({ at: '2026-03-09T10:00:00Z' }, { at: '2026-03-10T11:59:59Z' }, { at: '2026-03-10T12:00:00.001Z' })
    expect((await read()).metrics.pageviews).toBe(2)
  })

  test('bots and refused events are distinguished and in no other number', async () => {
    await enable()
    await store({ at: '2026-03-09T10:00:00Z' }, { at: '2026-03-10T10:00:00Z', stream: 'bot' })
    const counts = (day: string, outcome: 'bot' | 'refused', reason: string, events: number) => ({
      site_id: site.id,
      day,
      outcome,
      reason,
      events,
      last_at: Date.parse(NOW),
    })
    await service.installation.control.db
      .insertInto('collection_counts')
      .values([
        counts('2026-03-10', 'bot', '', 7),
        counts('2026-03-09', 'refused', 'bad_url', 2),
        counts('2026-03-10', 'refused', 'rate_limited', 3),
        counts('2026-03-01', 'bot', '', 100),
      ])
      .execute()
    const { excluded, metrics } = await read()
    expect({ excluded, sessions: metrics.sessions }).toEqual({
      excluded: { bots: 7, refused: 5, repeats: 0, opted_out: 0 },
      sessions: 1,
    })
  })
})

describe('the second version, behind its gate (spec 9)', () => {
  test('compares with the days just before and reports the evidence of each day; closed it is the first again', async () => {
    await enable()
    await store(
      { at: '2026-03-05T10:00:00Z' },
      { at: '2026-03-06T10:00:00Z', visitor: 1 },
      { at: '2026-03-06T10:00:00Z', visitor: 2 },
      { at: '2026-03-09T10:00:00Z' },
      { at: '2026-03-10T10:00:00Z' },
    )
    const first = await read()
    expect(first).not.toHaveProperty('comparison')
    expect(Object.keys(first.trend[0] ?? {})).toEqual(['day', 'visitor_days', 'sessions', 'pageviews', 'conversions'])
    await openV2()
    const second = await read()
    expect(second).toMatchObject({
      meta: { contract_version: 'analytics-overview/v2', window: { from: '2026-03-08', to: '2026-03-10' } },
      metrics: { sessions: 2 },
      comparison: {
        from: '2026-03-05',
        to: '2026-03-07',
        measurement: {
          gaps: [{ from: '2026-03-07', to: '2026-03-07' }],
          limitations: ['evidence_begins', 'no_signal'],
        },
        metrics: { sessions: 3, visitor_days: 3 },
        closed_sessions: 3,
      },
    })
    expect(second.trend.map((row) => [row.evidence_state, row.limitation])).toEqual([
      ['gap', 'no_signal'],
      ['complete', null],
      ['complete', null],
    ])
    // The days of the comparison are read from their builds as well.
    await deriveDays(context())
    expect((await read()).comparison).toEqual(second.comparison)
    await service.installation.control.transaction((tx) =>
      setGate(tx, service.crawlers, { site_id: site.id, name: 'analytics_overview_v2', is_open: false }),
    )
    expect(await read()).toEqual(first)
  })
})
