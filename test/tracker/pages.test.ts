import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AnalyticsPages, getAnalyticsPages } from '#contract/site-api/analytics-pages.ts'
import { history } from '#demo/history.ts'
import { sql, uuid } from '#evidence/sql.ts'
import { addConversion } from '#tracker/definitions/conversions.ts'
import { readConversionInput } from '#tracker/definitions/definition-input.ts'
import { deriveDefinitions } from '#tracker/definitions/derive-definitions.ts'
import { deriveDays } from '#tracker/sessions/derive-sessions.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { enableTracker, storeEvents } from '../support/tracker.ts'

const NOW = '2026-03-10T12:00:00.000Z'
const answers = Compile(getAnalyticsPages.output)

let service: TestService
beforeAll(async () => {
  service = await openTestService(NOW)
})
afterAll(() => service.close())

async function visited(domain: string) {
  const site = await service.addSite(domain)
  await service.createKey()
  await enableTracker(service, site, { from: '2026-03-01T00:00:00Z', through: NOW })
  await storeEvents(service, site, [
    { at: '2026-03-01T10:00:00Z' },
    { at: '2026-03-09T10:00:00Z', visitor: 1, path: '/a' },
    { at: '2026-03-09T10:01:00Z', visitor: 1, path: '/b' },
    { at: '2026-03-09T10:02:00Z', visitor: 1, path: '/a' },
    { at: '2026-03-09T10:03:00Z', visitor: 1, path: '/b', kind: 'event', name: 'signup' },
    { at: '2026-03-10T10:00:00Z', visitor: 1, path: '/a', hostname: `docs.${domain}` },
    { at: '2026-03-10T10:01:00Z', visitor: 1, path: '/b' },
    { at: '2026-03-10T10:00:00Z', visitor: 2, path: '/user/jo@example.org' },
    { at: '2026-03-10T10:00:00Z', visitor: 3, path: '/only-an-event', kind: 'event', name: 'signup' },
  ])
  return site
}

async function read(domain: string, query = 'window=3d') {
  const { status, json } = await service.ask(`/v1/sites/${domain}/pages?${query}`)
  expect(status).toBe(200)
  expect([...answers.Errors(json)]).toEqual([])
  return json as never as AnalyticsPages
}

const UNKNOWN = {
  evidence_state: null,
  observed_request_count: null,
  observed_crawler_count: null,
  last_observed_at: null,
  hidden_request_count: null,
}
const page = (hostname: string, path: string, counts: readonly number[], crawler: object = UNKNOWN) => {
  const [pageviews, sessions, entries, exits] = counts
  const path_fidelity = path.includes(':redacted') ? 'redacted' : 'exact'
  return { hostname, path, path_fidelity, pageviews, sessions, entries, exits, conversions: null, crawler }
}

test('pages by pageviews, host and path; without a crawler source its four columns are null', async () => {
  const site = await visited('example.com')
  const expected = [
    page('example.com', '/a', [2, 1, 1, 1]),
    page('example.com', '/b', [2, 2, 0, 1]),
    page('docs.example.com', '/a', [1, 1, 1, 0]),
    page('example.com', '/user/:redacted', [1, 1, 1, 1]),
  ]
  const before = await read('example.com')
  expect(before.pages).toEqual(expected)
  expect(before.summary).toEqual({
    pageviews: 6,
    sessions: 3,
    page_count: 4,
    crawler_purpose_filter: ['search', 'assistant', 'unknown'],
    crawler_evidence_state: null,
    crawler_pattern_count: null,
  })
  expect(before.meta.pagination).toEqual({ limit: 50, returned_count: 4, total_count: 4, truncated: false })
  const ctx = { ...service.crawlers, site, collection: { readableThrough: () => service.clock.now() } }
  expect(await deriveDays(ctx)).toBe(2)
  expect(await read('example.com')).toEqual(before)
  const cut = await read('example.com', 'window=3d&limit=3')
  expect(cut.pages).toEqual(expected.slice(0, 3))
  expect(cut.summary).toEqual(before.summary)
  expect(cut.meta.pagination).toEqual({ limit: 3, returned_count: 3, total_count: 4, truncated: true })
})

test('a conversion counts on the page of its own event, seen or not, before and after the day is derived', async () => {
  const site = await visited('example.info')
  const definition = readConversionInput({ name: 'Signup', matcher: { kind: 'event', event_name: 'signup' } })
  await addConversion({ control: service.installation.control, clock: service.clock }, { site, definition })
  await storeEvents(service, site, [
    // Sent from /a after /b was seen.
    { at: '2026-03-09T12:00:00Z', visitor: 5, path: '/a' },
    { at: '2026-03-09T12:01:00Z', visitor: 5, path: '/b' },
    { at: '2026-03-09T12:02:00Z', visitor: 5, path: '/a', kind: 'event', name: 'signup' },
    { at: '2026-03-09T12:03:00Z', visitor: 5, path: '/a', kind: 'event', name: 'signup' },
    { at: '2026-03-09T12:04:00Z', visitor: 5, path: '/thanks', kind: 'event', name: 'signup' },
  ])
  const conversions = async () => {
    const { pages } = await read('example.info')
    return Object.fromEntries(pages.map(({ hostname, path, ...row }) => [hostname + path, row.conversions]))
  }
  const expected = {
    'example.info/a': 1,
    'example.info/b': 1,
    'docs.example.info/a': 0,
    'example.info/user/:redacted': 0,
    'example.info/only-an-event': 1,
    'example.info/thanks': 1,
  }
  expect(await conversions()).toEqual(expected)
  const ctx = { ...service.crawlers, site, collection: { readableThrough: () => service.clock.now() } }
  await deriveDays(ctx)
  expect(await conversions()).toEqual(expected)
  await deriveDefinitions(service.crawlers)
  expect(await conversions()).toEqual(expected)
  // What an older version derived has no pages of events: until it is derived again the day is read from facts.
  const { db } = service.installation.control
  const day = { site_id: site.id, day: '2026-03-09', kind: 'sessions' } as const
  const outdated = { ...day, cause: 'events', state: 'written', marked: 0 } as const
  await service.crawlers.evidence.run(sql`
    ALTER TABLE spoor.sessions UPDATE event_pages = arrayMap(page -> toUInt64(0), pages) WHERE site_id = ${uuid(site.id)} SETTINGS mutations_sync = 2`)
  await db.deleteFrom('builds').where('site_id', '=', site.id).where('kind', '=', 'definitions').execute()
  // A real build never changes; what is kept of this one makes room.
  service.crawlers.derived.answers.set('all room', null, 48 * 2 ** 20)
  expect(await conversions()).not.toEqual(expected)
  await db.insertInto('dirty_days').values(outdated).execute()
  expect(await conversions()).toEqual(expected)
  await deriveDays(ctx)
  expect(await conversions()).toEqual(expected)
})

test('crawler evidence is beside each page under the default purposes; redacted paths are patterns', async () => {
  const site = await visited('example.net')
  const crawled = history()
  for (const path of ['/a', '/a', '/b'])
    crawled.on('2026-03-09').humans().crawler('oai-searchbot').requests(1, { path })
  crawled.on('2026-03-09').crawler('gptbot').requests(5, { path: '/b' })
  crawled.on('2026-03-09').crawler('gptbot').requests(3, { path: '/cart/someone@example.org' })
  crawled.on('2026-03-09').crawler('oai-searchbot').requests(2, { path: '/user/someone@example.org' })
  await service.importText(site, crawled, { host: 'example.net' })
  const { pages, crawler_patterns, summary } = await read('example.net')
  const seen = (n: number, hidden = 0) => ({
    evidence_state: 'partial',
    observed_request_count: n,
    observed_crawler_count: Math.min(n, 1),
    last_observed_at: n === 0 ? null : expect.stringMatching(/^2026-03-09T/),
    hidden_request_count: hidden,
  })
  // The log was read for one host, so that nothing is known of the other.
  // Training crawlers are opt-in, and tracker pages that only crawlers know are none.
  expect(pages.map((row) => [row.hostname, row.path, row.crawler])).toEqual([
    ['example.net', '/a', seen(2)],
    ['example.net', '/b', seen(1, 5)],
    ['docs.example.net', '/a', UNKNOWN],
    ['example.net', '/user/:redacted', seen(2)],
  ])
  expect(crawler_patterns).toEqual([
    {
      hostname: 'example.net',
      path: '/user/:redacted',
      path_fidelity: 'redacted',
      observed_request_count: 2,
      observed_crawler_count: 1,
      last_observed_at: expect.stringMatching(/^2026-03-09T/),
    },
  ])
  expect(summary).toMatchObject({ crawler_evidence_state: 'partial', crawler_pattern_count: 1 })
  expect((await read('example.net', 'window=3d&limit=1')).crawler_patterns).toEqual(crawler_patterns)
})

test('crawlers and visitors are independent: one is known where the other is not', async () => {
  const site = await service.addSite('example.org')
  await service.createKey()
  const crawled = history()
  crawled.on('2026-03-09').humans().crawler('oai-searchbot').requests(2, { path: '/user/someone@example.org' })
  await service.importText(site, crawled, { host: 'example.org' })
  const { meta, pages, summary, crawler_patterns } = await read('example.org')
  expect(meta).toMatchObject({
    measurement_state: 'uninstalled',
    pagination: { returned_count: 0, total_count: null, truncated: false },
  })
  expect(pages).toEqual([])
  expect(summary).toMatchObject({ pageviews: null, sessions: null, page_count: null, crawler_pattern_count: 1 })
  expect(crawler_patterns).toHaveLength(1)
})
