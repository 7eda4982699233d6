import { Compile } from 'typebox/compile'
import { beforeEach, expect, test } from 'vitest'
import { type AnalyticsSources, getAnalyticsSources, SOURCE_ROWS } from '#contract/site-api/analytics-sources.ts'
import type { Site } from '#sites/site.ts'
import { deriveDays } from '#tracker/sessions/derive-sessions.ts'
import { serviceOfFile } from '../support/fresh.ts'
import type { TestService } from '../support/service.ts'
import { enableTracker, storeEvents, type TestEvent } from '../support/tracker.ts'

const NOW = '2026-03-10T12:00:00.000Z'
const answers = Compile(getAnalyticsSources.output)

let service: TestService
let site: Site
const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh(NOW)
  site = await service.addSite('example.com')
  await service.createKey()
})

const enable = () => enableTracker(service, site, { from: '2026-03-01T00:00:00Z', through: NOW })
const store = (...events: TestEvent[]) => storeEvents(service, site, events)
const derive = () => deriveDays({ ...service.crawlers, collection: { readableThrough: () => service.clock.now() } })
async function read() {
  const { status, json } = await service.ask('/v1/sites/example.com/analytics-sources?window=3d')
  expect(status).toBe(200)
  expect([...answers.Errors(json)]).toEqual([])
  return json as never as AnalyticsSources
}

const UNMEASURED = { denominator: null, total_count: null, truncated: false, rows: [] }

test('unmeasured lists are null, unmeasured blocks have no denominator and no rows', async () => {
  const { acquisition, ai_referral, referrers, utm } = await read()
  expect({ acquisition, ai_referral }).toEqual({ acquisition: null, ai_referral: null })
  expect(referrers).toEqual({ total_count: null, truncated: false, rows: [] })
  expect(Object.values(utm)).toEqual([UNMEASURED, UNMEASURED, UNMEASURED, UNMEASURED, UNMEASURED])
})

test('a session has the channel of its first pageview, from facts and from derived sums', async () => {
  await enable()
  await store(
    { at: '2026-03-01T10:00:00Z' },
    // The event before the pageview says nothing; the later pageview neither.
    { at: '2026-03-09T10:00:00Z', visitor: 1, kind: 'event', name: 'signup', referrer_host: 'www.google.com' },
    { at: '2026-03-09T10:00:01Z', visitor: 1, referrer_host: 'chatgpt.com', utm: { source: 'chatgpt.com' } },
    { at: '2026-03-09T10:00:02Z', visitor: 1, referrer_host: 'blog.example.net', utm: { campaign: 'later' } },
    { at: '2026-03-09T10:00:00Z', visitor: 2, utm: { source: 'chatgpt.com', campaign: 'spring' } },
    { at: '2026-03-10T10:00:00Z', visitor: 1, referrer_host: 'www.perplexity.ai' },
    { at: '2026-03-10T10:00:00Z', visitor: 2, referrer_host: 'blog.example.net' },
    { at: '2026-03-10T10:00:00Z', visitor: 3 },
    { at: '2026-03-10T10:00:00Z', visitor: 4, kind: 'event', name: 'signup' },
  )
  const before = await read()
  expect(before.acquisition).toEqual([
    { channel: 'ai_assistant', sessions: 3, pageviews: 4 },
    { channel: 'direct', sessions: 1, pageviews: 1 },
    { channel: 'referral', sessions: 1, pageviews: 1 },
    { channel: 'unknown', sessions: 1, pageviews: 0 },
  ])
  expect(before.ai_referral).toEqual([
    { platform: 'chatgpt', evidence: 'both', sessions: 1, pageviews: 2 },
    { platform: 'chatgpt', evidence: 'utm', sessions: 1, pageviews: 1 },
    { platform: 'perplexity', evidence: 'referrer', sessions: 1, pageviews: 1 },
  ])
  expect(before.referrers.rows).toEqual([
    { referrer_host: 'blog.example.net', channel: 'referral', sessions: 1, pageviews: 1 },
    { referrer_host: 'chatgpt.com', channel: 'ai_assistant', sessions: 1, pageviews: 2 },
    { referrer_host: 'www.perplexity.ai', channel: 'ai_assistant', sessions: 1, pageviews: 1 },
  ])
  expect(before.utm.source).toEqual({
    denominator: 2,
    total_count: 1,
    truncated: false,
    rows: [{ value: 'chatgpt.com', sessions: 2, pageviews: 3 }],
  })
  expect(before.utm.campaign.rows).toEqual([{ value: 'spring', sessions: 1, pageviews: 1 }])
  expect(before.utm.term).toEqual({ denominator: 0, total_count: 0, truncated: false, rows: [] })
  expect(before.meta.completeness.limitations).toEqual(
    expect.arrayContaining(['ai_answers_on_search_pages_count_as_search', 'visits_without_referrer_hide_their_source']),
  )
  expect(await derive()).toBe(2)
  expect(await read()).toEqual(before)
})

test('equal rows are in the order of the engine, whichever part of the window they come from', async () => {
  await enable()
  const values = ['b', '\u{1f600}', '\uffee', 'a']
  for (const day of ['08', '10']) {
    await store(...values.map((source, visitor) => ({ at: `2026-03-${day}T10:00:00Z`, visitor, utm: { source } })))
  }
  await derive()
  const { utm } = await read()
  expect(utm.source.rows.map(({ value }) => value)).toEqual(['a', 'b', '\uffee', '\u{1f600}'])
})

test('a list past its end says how long it is, and its denominator counts all of it', async () => {
  await enable()
  const visits = Array.from({ length: SOURCE_ROWS + 5 }, (_, visitor) => ({
    at: '2026-03-10T10:00:00Z',
    visitor: visitor + 1,
    referrer_host: `host-${visitor}.example.net`,
    utm: { term: `Wort "${visitor}"\n` },
  }))
  await store({ at: '2026-03-01T10:00:00Z' }, ...visits, { ...visits[7], at: '2026-03-10T10:00:00Z', visitor: 5_000 })
  const { utm, referrers, acquisition } = await read()
  expect(utm.term).toMatchObject({ denominator: SOURCE_ROWS + 6, total_count: SOURCE_ROWS + 5, truncated: true })
  expect(utm.term.rows).toHaveLength(SOURCE_ROWS)
  expect(utm.term.rows[0]).toEqual({ value: 'Wort "7"\n', sessions: 2, pageviews: 2 })
  expect(referrers).toMatchObject({ total_count: SOURCE_ROWS + 5, truncated: true })
  expect(acquisition).toEqual([{ channel: 'referral', sessions: SOURCE_ROWS + 6, pageviews: SOURCE_ROWS + 6 }])
})

test('above 20,000 different entries the number of linking sites is unknown, and the answer says so', async () => {
  await enable()
  const tagged = Array.from({ length: 20_000 }, (_, visitor) => ({
    at: '2026-03-10T10:00:00Z',
    visitor: visitor + 1,
    utm: { source: `letter-${visitor}` },
  }))
  await store(...tagged, { at: '2026-03-10T10:00:00Z', visitor: 30_000, referrer_host: 'last.example.net' })
  const { referrers, acquisition, meta } = await read()
  expect(referrers).toEqual({ total_count: null, truncated: true, rows: [] })
  expect(acquisition).toEqual([{ channel: 'unknown', sessions: 20_001, pageviews: 20_001 }])
  expect(meta.completeness.limitations).toContain('rare_origins_not_labelled')
})
