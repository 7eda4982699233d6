/** Open days that are counted before anybody asks: answers are the same, and read only what has come since. */
import { expect, test } from 'vitest'
import { PURPOSES } from '#contract/vocabulary.ts'
import type { SiteContext } from '#crawlers/context.ts'
import { countOpenDays } from '#crawlers/count-open-days.ts'
import { readCrawler } from '#crawlers/crawler.ts'
import { readPerformance } from '#crawlers/performance.ts'
import { readTopPages } from '#crawlers/top-pages.ts'
import { history } from '#demo/history.ts'
import { DerivedDays } from '#derived/derived-days.ts'
import { markDays } from '#derived/dirty-days.ts'
import { render } from '#evidence/fragment.ts'
import { overrideStore } from '#evidence/override-store.ts'
import { sql } from '#evidence/sql.ts'
import type { EvidenceStore, StatementLimits } from '#evidence/store.ts'
import { visitorReadsInAdvance } from '#jobs/folder-jobs.ts'
import { setGate } from '#sites/gates.ts'
import type { Site } from '#sites/site.ts'
import { readAnalyticsPages } from '#tracker/pages.ts'
import { serviceOfFile } from '../support/fresh.ts'
import type { TestService } from '../support/service.ts'
import { enableTracker, storeEvents } from '../support/tracker.ts'

const TODAY = '2026-03-10'
const DEFAULT = { window: '30d' as const, purpose: ['search' as const, 'assistant' as const, 'unknown' as const] }
const shared = serviceOfFile()

/** What statements read of the facts with FINAL: the whole day, or what has come since an instant; and how. */
interface Seen {
  is_whole: boolean
  limits: StatementLimits | undefined
}

function watching(evidence: EvidenceStore, seen: Seen[]): EvidenceStore {
  const all: EvidenceStore['all'] = (statement, limits) => {
    const { text } = render(statement.fragment)
    if (text.includes('spoor.requests FINAL')) seen.push({ is_whole: !text.includes('PREWHERE intDiv(event'), limits })
    return evidence.all(statement, limits)
  }
  return overrideStore(evidence, { all })
}

async function arrive(service: TestService, site: Site, count: number): Promise<void> {
  const { control, clock } = service.crawlers
  const from = new Date(clock.now() - 60_000).toISOString().slice(11, 16)
  await service.importText(site, history().on(TODAY).crawler('oai-searchbot').requests(count, { from, path: '/a' }))
  // Always being written: nothing rests.
  const mark = { kind: 'crawlers', cause: 'test', state: 'writing', now: clock.now() } as const
  await control.transaction((tx) => markDays(tx, mark, [{ site_id: site.id, day: TODAY }]))
}

async function opened(min_facts_of_pieces = 0) {
  const service = await shared.fresh(`${TODAY}T12:00:00.000Z`)
  Object.assign(service.crawlers.derived.openDayReads, { min_facts_of_pieces, max_new_facts: 0 })
  const site = await service.addSite('example.com')
  await arrive(service, site, 5)
  service.clock.advance(40_000)
  const seen: Seen[] = []
  const ctx: SiteContext = { ...service.crawlers, site, evidence: watching(service.crawlers.evidence, seen) }
  return { service, site, seen, ctx }
}

test('a large open day is counted once with one thread, and answers of any window read later facts', async () => {
  const { service, site, seen, ctx } = await opened()
  await countOpenDays(ctx, undefined, { min_requests: 6 })
  await countOpenDays(ctx, undefined, { min_requests: 5 })
  // It was just looked for large days.
  expect(seen).toEqual([])
  service.clock.advance(5 * 60_000)
  await countOpenDays(ctx, undefined, { min_requests: 5 })
  expect(seen.some(({ is_whole }) => is_whole)).toBe(true)
  expect(seen.every(({ limits }) => limits?.max_threads === 1)).toBe(true)

  // Answers that were not requested are not updated.
  expect(ctx.derived.openDayReads.recent(service.clock.now())).toEqual([])

  seen.length = 0
  service.clock.advance(20_000)
  await arrive(service, site, 2)
  for (const window of ['7d', '30d', '365d'] as const) {
    expect((await readPerformance(ctx, { ...DEFAULT, window })).observed_request_count).toBe(7)
    const { pages } = await readTopPages(ctx, { ...DEFAULT, window, limit: 50 })
    expect(pages).toMatchObject([{ path: '/a', observed_request_count: 7 }])
  }
  expect(seen.map(({ is_whole }) => is_whole)).toEqual(Array(6).fill(false))
  seen.length = 0
  const of_crawler = await readCrawler(ctx, { window: '30d', crawler_id: 'oai-searchbot', limit: 50 })
  expect(of_crawler.observed_request_count).toBe(7)
  expect(seen.every(({ is_whole }) => !is_whole)).toBe(true)

  seen.length = 0
  service.clock.advance(5 * 60_000)
  await countOpenDays(ctx, undefined, { min_requests: 5 })
  expect(seen).toEqual([])
})

test('answers of other modules about a large site are read in advance too, once', async () => {
  const { service, site, ctx } = await opened()
  const asked: string[] = []
  const also = (of: SiteContext) => [async () => void asked.push(of.site.id)]
  await countOpenDays(ctx, undefined, { min_requests: 6, also })
  expect(asked).toEqual([])
  for (const _ of [1, 2]) {
    service.clock.advance(5 * 60_000)
    await countOpenDays(ctx, undefined, { min_requests: 5, also })
  }
  expect(asked).toEqual([site.id])
})

test('each run counts one large site in advance, so that updates of other counts do not wait', async () => {
  const { service, site, ctx } = await opened()
  const other = await service.addSite('other.example')
  await arrive(service, other, 6)
  const asked: string[] = []
  const also = (of: SiteContext) => [async () => void asked.push(of.site.id)]
  service.clock.advance(5 * 60_000)
  for (const expected of [[other.id], [other.id, site.id], [other.id, site.id]]) {
    service.clock.advance(15_000)
    await countOpenDays(ctx, undefined, { min_requests: 5, also })
    expect(asked).toEqual(expected)
  }
})

test('visitors’ pages are read in advance, together with crawler requests', async () => {
  const { service, site, seen, ctx } = await opened()
  const collection = { readableThrough: () => service.clock.now() }
  await enableTracker(service, site, {
    from: `${TODAY}T00:00:00Z`,
    through: new Date(service.clock.now()).toISOString(),
  })
  await storeEvents(service, site, [{ at: `${TODAY}T10:00:00Z`, path: '/a' }])
  for (const read of visitorReadsInAdvance({ ...ctx, is_in_advance: true }, { collection })) await read()
  expect(seen.some(({ is_whole }) => is_whole)).toBe(true)

  seen.length = 0
  service.clock.advance(20_000)
  await arrive(service, site, 2)
  const { pages } = await readAnalyticsPages({ ...ctx, collection }, { window: '30d', limit: 50 })
  expect(pages).toMatchObject([{ path: '/a', pageviews: 1, crawler: { observed_request_count: 7 } }])
  expect(seen.map(({ is_whole }) => is_whole)).not.toContain(true)
  expect(seen).not.toEqual([])
})

test('visitors’ pages whose reader is switched off are left out, and the job does not fail', async () => {
  const { service, site, seen, ctx } = await opened()
  const collection = { readableThrough: () => service.clock.now() }
  const gate = { site_id: site.id, name: 'analytics_pages_reader', is_open: false } as const
  await ctx.control.transaction((tx) => setGate(tx, service, gate))
  const also = (of: SiteContext) => visitorReadsInAdvance(of, { collection })
  await countOpenDays(ctx, undefined, { min_requests: 5, also })
  expect(seen).not.toEqual([])
  seen.length = 0
  for (const read of visitorReadsInAdvance({ ...ctx, is_in_advance: true }, { collection })) await read()
  expect(seen).toEqual([])
})

test('a removed fact is not counted again, whatever was counted in advance', async () => {
  const { service, ctx } = await opened()
  await countOpenDays(ctx, undefined, { min_requests: 5 })
  await service.crawlers.evidence.run(
    sql`DELETE FROM spoor.requests WHERE event IN (SELECT min(event) FROM spoor.requests)`,
  )
  expect((await readPerformance(ctx, DEFAULT)).observed_request_count).toBe(4)
})

test('an earlier receipt counts, even after a merge has left no other', async () => {
  const { service, ctx } = await opened()
  const answered = async () => (await readPerformance(ctx, DEFAULT)).http_outcomes
  expect(await answered()).toMatchObject([{ statuses: [{ http_status: 200, observed_request_count: 5 }] }])
  const { evidence } = service.crawlers
  await evidence.run(sql`
    INSERT INTO spoor.requests (site_id, day, event, at, precision, source_id, delivery_id, reading, requests,
      provider_estimate, host, path, path_fidelity, path_class, status, method, user_agent, agent_key, received_at)
    SELECT site_id, day, event, at, precision, source_id, delivery_id, reading, requests,
      provider_estimate, host, path, path_fidelity, path_class, 404, method, user_agent, agent_key, received_at - 1
    FROM spoor.requests`)
  await evidence.run(sql`OPTIMIZE TABLE spoor.requests FINAL`)
  expect(await answered()).toMatchObject([{ statuses: [{ http_status: 404, observed_request_count: 5 }] }])
})

test('an answer reads the facts since the last piece, and repeats only pieces after a late receipt', async () => {
  const { service, site, seen, ctx } = await opened()
  const ask = async () => {
    seen.length = 0
    const { observed_request_count: requests } = await readPerformance(ctx, DEFAULT)
    return { requests, whole: seen.filter(({ is_whole }) => is_whole).length }
  }
  expect(await ask()).toEqual({ requests: 5, whole: 1 })
  // Each time a piece is due, and the earlier ones, which are short, would be put together with it.
  for (const requests of [6, 7, 8]) {
    service.clock.advance(60_000)
    await arrive(service, site, 1)
    expect(await ask()).toEqual({ requests, whole: 0 })
  }
})

test('answers that are requested at once share one read of the day', async () => {
  const { seen, ctx } = await opened()
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => readPerformance(ctx, { ...DEFAULT, purpose: [...PURPOSES] })),
  )
  expect(answers.map(({ observed_request_count }) => observed_request_count)).toEqual([5, 5, 5, 5])
  expect(seen.filter(({ is_whole }) => is_whole)).toHaveLength(1)
})

test('recently requested answers are counted again after many facts have arrived, and are dropped later', async () => {
  const { service, ctx } = await opened()
  const { openDayReads } = new DerivedDays()
  const derived = Object.assign(Object.create(service.crawlers.derived), { openDayReads })
  let refreshed = 0
  const read = { refresh: async () => void refreshed++ }
  openDayReads.note('one', read, service.clock.now())
  openDayReads.note('one', read, service.clock.now())
  await countOpenDays({ ...ctx, derived })
  expect(refreshed).toBe(1)
  service.clock.advance(11 * 60_000)
  await countOpenDays({ ...ctx, derived })
  expect(refreshed).toBe(1)
})

test('a day of few facts is read whole by each answer, until more have arrived', async () => {
  const { service, site, seen, ctx } = await opened(8)
  const ask = async () => {
    seen.length = 0
    const { observed_request_count } = await readPerformance(ctx, DEFAULT)
    return { observed_request_count, whole: seen.filter(({ is_whole }) => is_whole).length, read: seen.length }
  }
  expect(await ask()).toEqual({ observed_request_count: 5, whole: 1, read: 1 })
  service.clock.advance(60_000)
  await arrive(service, site, 2)
  expect(await ask()).toEqual({ observed_request_count: 7, whole: 1, read: 1 })
  service.clock.advance(60_000)
  await arrive(service, site, 2)
  // The first piece is the whole day up to now.
  expect(await ask()).toEqual({ observed_request_count: 9, whole: 1, read: 2 })
  service.clock.advance(60_000)
  await arrive(service, site, 1)
  expect(await ask()).toMatchObject({ observed_request_count: 10, whole: 0 })
})
