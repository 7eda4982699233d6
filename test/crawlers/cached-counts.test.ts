/** What is kept of days that are read from facts: until facts of theirs are written, or come to lie before now. */
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#clock.ts'
import { PURPOSES } from '#contract/vocabulary.ts'
import { addUp, orderedBy, readSplit } from '#crawlers/cached-counts.ts'
import type { SiteContext } from '#crawlers/context.ts'
import { countOpenDays } from '#crawlers/count-open-days.ts'
import { openReading } from '#crawlers/coverage/meta.ts'
import { crawlerDetails } from '#crawlers/crawler.sql.ts'
import { readCrawler } from '#crawlers/crawler.ts'
import { readCrawlers } from '#crawlers/crawlers.ts'
import { requestCounts } from '#crawlers/performance.sql.ts'
import { readPerformance } from '#crawlers/performance.ts'
import { type CrawlerScope, isEmpty } from '#crawlers/scope.sql.ts'
import { readTopPages } from '#crawlers/top-pages.ts'
import { readUnregisteredAgents } from '#crawlers/unregistered-agents.ts'
import { history } from '#demo/history.ts'
import { markDays } from '#derived/dirty-days.ts'
import { piecesBefore } from '#derived/pieces.ts'
import { render } from '#evidence/fragment.ts'
import { overrideStore } from '#evidence/override-store.ts'
import { sql, text, uint, uuid } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import type { Site } from '#sites/site.ts'
import { serviceOfFile } from '../support/fresh.ts'
import type { TestService } from '../support/service.ts'

const TODAY = '2026-03-10'
const UNKNOWN = 'FreshCrawl/1.0 (+https://fresh.example/about)'

let service: TestService
let site: Site
let ctx: SiteContext
/** How many statements were run since it was set to 0. */
let reads: number
const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh(`${TODAY}T12:00:00.000Z`)
  // So that days of few facts are counted in pieces too.
  Object.assign(service.crawlers.derived.openDayReads, { min_facts_of_pieces: 0, max_new_facts: 2 })
  site = await service.addSite('example.com')
  ctx = { ...service.crawlers, site, evidence: counting(service.crawlers.evidence) }
  reads = 0
})

function counting(evidence: EvidenceStore): EvidenceStore {
  return overrideStore(evidence, {
    all: (statement, limits) => {
      reads++
      return evidence.all(statement, limits)
    },
  })
}

const all = { window: '7d' as const, purpose: [...PURPOSES] }
const OPERATIONS: [string, () => Promise<number | null>][] = [
  ['performance', async () => (await readPerformance(ctx, all)).observed_request_count],
  ['crawlers', async () => sumOf((await readCrawlers(ctx, all)).crawlers)],
  ['top pages', async () => sumOf((await readTopPages(ctx, { ...all, limit: 50 })).pages)],
  [
    'one crawler',
    async () => (await readCrawler(ctx, { window: '7d', crawler_id: 'gptbot', limit: 50 })).observed_request_count,
  ],
  [
    'unregistered agents',
    async () => (await readUnregisteredAgents(ctx, { window: '7d', limit: 50 })).observed_request_count,
  ],
]

const sumOf = (rows: readonly { observed_request_count: number }[]) =>
  rows.reduce((sum, row) => sum + row.observed_request_count, 0)

/** As many requests of a known crawler and of an unknown agent on each of two days. */
const log = (count: number, from: string) =>
  ['2026-03-08', TODAY].reduce(
    (of, day) => of.on(day).crawler('gptbot').requests(count, { from }).agent(UNKNOWN).requests(count, { from }),
    history(),
  )

describe.each(OPERATIONS)('%s', (_name, ask) => {
  test('of unchanged facts are counted once, and again after others were written', async () => {
    await service.importText(site, log(3, '10:00'))
    expect(await ask()).toBe(6)
    const first = reads
    reads = 0
    expect(await ask()).toBe(6)
    expect(reads).toBeLessThan(first)
    await service.importText(site, log(1, '11:00'))
    expect(await ask()).toBe(8)
    await service.rebuild()
    expect(await ask()).toBe(8)
    await service.importText(site, log(2, '11:30'))
    expect(await ask()).toBe(12)
  })

  test('of facts in the future are counted once their instant has come', async () => {
    await service.importText(site, log(3, '13:00'))
    expect(await ask()).toBe(3)
    service.clock.advance(2 * HOUR_MS)
    expect(await ask()).toBe(6)
  })
})

test('a cached page is looked up again after its path arrives without anything to redact', async () => {
  const ask = async () => (await readTopPages(ctx, { ...all, limit: 1 })).pages
  const before = history().on('2026-03-08').crawler('gptbot').requests(9, { path: '/u/a@example.com' })
  await service.importText(site, before.on(TODAY).requests(2, { from: '09:00' }))
  await service.rebuild()
  const [page] = await ask()
  expect(page).toMatchObject({ path_fidelity: 'redacted' })
  const again = { path: page?.path ?? '', from: '10:00' }
  await service.importText(site, history().on(TODAY).crawler('gptbot').requests(1, again))
  expect(await ask()).toMatchObject([{ path_fidelity: 'exact', observed_request_count: 10 }])
})

test('names of pages and empty counts use space of the cache', async () => {
  const { answers } = ctx.derived
  const before = answers.bytes
  await service.importText(site, history().on('2026-03-08').agent(UNKNOWN).requests(1))
  await service.rebuild()
  expect((await readTopPages(ctx, { ...all, limit: 1 })).pages).toEqual([])
  expect(answers.bytes).toBeGreaterThan(before)
  const empty = answers.bytes
  const paths = Array.from({ length: 20 }, (_, at) => `/${'long-'.repeat(100)}${at}`)
  const log = paths.reduce((of, path) => of.requests(1, { path }), history().on('2026-03-08').crawler('gptbot'))
  await service.importText(site, log)
  await service.rebuild()
  // Of equally many requests all are named, because names order them.
  expect((await readTopPages(ctx, { ...all, limit: 1 })).pages).toHaveLength(1)
  expect(answers.bytes - empty).toBeGreaterThan(paths.join('').length)
})

/** One of these seconds later: facts that come become a piece after half a minute. */
const step = fc.oneof(
  fc.record({
    does: fc.constant('import'),
    count: fc.integer({ min: 1, max: 3 }),
    path: fc.constantFrom('/a', '/b'),
    crawler: fc.constantFrom('gptbot', 'ccbot', 'claudebot'),
  }),
  fc.record({
    does: fc.constant('label'),
    identity: fc.constantFrom('network_verified', 'provider_verified', 'unknown'),
  }),
  fc.record({ does: fc.constant('repeat'), received: fc.constantFrom(-100, -1, 1) }),
  fc.record({ does: fc.constant('derive') }),
)
const later = fc.tuple(step, fc.constantFrom(1, 4, 20, 40))
type Later = typeof later extends fc.Arbitrary<infer T> ? T : never
const steps = fc.array(later, { minLength: 4, maxLength: 12 })

/** Facts as another receipt of them would store them, with other paths, so that it matters which receipt counts. */
async function repeat(seconds: number): Promise<void> {
  await service.crawlers.evidence.run(sql`
    INSERT INTO spoor.requests (site_id, day, event, at, precision, source_id, delivery_id, reading, requests, provider_estimate,
      host, path, path_fidelity, path_class, status, status_raw, method, user_agent, agent_key, received_at)
    SELECT site_id, day, if(event % 3 = 0, toUInt128(event + 1), event), at, precision, source_id, delivery_id, reading, requests, provider_estimate,
      host, '/a', path_fidelity, path_class, 404, status_raw, method, user_agent, agent_key,
      received_at + ${uint(100 + seconds)} - 100
    FROM spoor.requests
    WHERE site_id = ${uuid(site.id)} AND event % 2 = 0`)
}

/** As an answer about the clients of GPTBot does that arrives later. */
const label = (identity: string) =>
  service.crawlers.evidence.run(sql`
    INSERT INTO spoor.agent_labels (registry_version, agent_key, crawler_id, purpose, identity, scope)
    SELECT registry_version, agent_key, crawler_id, purpose, ${text(identity)}, scope
    FROM spoor.agent_labels FINAL
    WHERE crawler_id = 'gptbot'`)

describe('labels of agents', () => {
  /** How many statements read the roll-ups of crawlers. */
  let roll_ups = 0
  const identities = async () => (await readCrawler(ctx, { window: '7d', crawler_id: 'gptbot', limit: 50 })).identities
  beforeEach(async () => {
    const { evidence } = ctx
    ctx.evidence = overrideStore(evidence, {
      all: (statement, limits) => {
        if (render(statement.fragment).text.includes('crawler_daily')) roll_ups++
        return evidence.all(statement, limits)
      },
    })
    await service.importText(site, log(3, '10:00'))
    await service.rebuild()
    service.clock.advance(MINUTE_MS)
    await identities()
    roll_ups = 0
  })

  test('counts of closed days stay cached while other agents arrive', async () => {
    service.clock.advance(MINUTE_MS)
    const other = await service.addSite('other.example')
    await service.importText(other, history().on(TODAY).crawler('ccbot').requests(1))
    await identities()
    expect(roll_ups).toBe(0)
  })

  test.each([
    ['when the label of one of their agents changes', async () => {}],
    [
      'when it changes after another agent came',
      async () => {
        service.clock.advance(MINUTE_MS)
        await service.importText(site, history().on(TODAY).crawler('ccbot').requests(1, { from: '11:00' }))
        await identities()
      },
    ],
    [
      'when it changes after the clock was set back',
      async () => {
        service.clock.set(`${TODAY}T09:00:00.000Z`)
        await identities()
      },
    ],
  ])('counts are read again %s', async (_when, before) => {
    await before()
    await label('network_verified')
    expect(await identities()).toMatchObject([{ identity: 'network_verified' }])
    await label('unknown')
    expect(await identities()).toMatchObject([{ identity: 'unknown' }])
  })

  test('counts are read again after two days, when it is no longer known which agents they had', async () => {
    service.clock.advance(2 * DAY_MS)
    const names = await identities()
    expect(roll_ups).toBeGreaterThan(0)
    expect(names).toHaveLength(1)
  })
})

test('while facts arrive, late and again, answers are those of one statement over all of them', async () => {
  let sites = 0
  let pieces = 0
  await fc.assert(
    fc.asyncProperty(steps, async (of) => {
      site = await service.addSite(`pieces-${sites++}.example`)
      ctx = { ...ctx, site }
      const { control, clock } = service.crawlers
      for (const [one, seconds] of of) {
        if ('path' in one) {
          const at = new Date(clock.now() - 1_000).toISOString().slice(11, 16)
          await service.importText(
            site,
            history().on(TODAY).crawler(one.crawler).requests(one.count, { path: one.path, from: at }),
          )
        }
        if ('received' in one) await repeat(one.received)
        if ('identity' in one) await label(one.identity)
        if (one.does === 'derive') await service.rebuild()
        // Always being written: nothing rests.
        const mark = { kind: 'crawlers', cause: 'test', state: 'writing', now: clock.now() } as const
        await control.transaction((tx) => markDays(tx, mark, [{ site_id: site.id, day: TODAY }]))
        service.clock.advance(seconds * 1_000)
        // What was asked for before is counted beforehand, now and then.
        if (seconds > 4) await countOpenDays(ctx, undefined, { min_facts: 1 })
        const { scope } = await openReading(ctx, { ...all })
        if (isEmpty(scope)) continue
        const read = (part: CrawlerScope) => ctx.evidence.all(requestCounts(part))
        const parts = await readSplit(ctx, scope, { name: 'test', read, bytesOf: () => 1 })
        pieces = Math.max(pieces, parts.length)
        const found = parts.flat()
        const expected = await ctx.evidence.all(requestCounts(scope))
        const sums = (rows: typeof expected) => orderedBy(addUp(rows, ['counted', 'hidden']), KEY)
        expect(sums(found)).toEqual(sums(expected))
        const details = await ctx.evidence.all(crawlerDetails(scope, 'gptbot', { limit: 50 }))
        const answer = await readCrawler(ctx, { window: '7d', crawler_id: 'gptbot', limit: 50 })
        const totals = (of: string) => details.filter(({ part }) => part === of)
        expect(answer.daily).toEqual(
          totals('daily').map(({ date, requests }) => ({ date, observed_request_count: requests })),
        )
        expect(answer.identities).toEqual(
          totals('identity').map(({ identity, requests }) => ({ identity, observed_request_count: requests })),
        )
        const byStatus = answer.http_outcomes.flatMap(({ statuses: of }) =>
          of.map(({ http_status: status, observed_request_count: requests }) => ({ status: status ?? 0, requests })),
        )
        expect(byStatus).toEqual(totals('status').map(({ status, requests }) => ({ status, requests })))
        const statuses = answer.pages.flatMap(({ path, statuses }) => statuses.map((each) => ({ path, ...each })))
        expect(statuses).toEqual(
          details.flatMap(({ part, path, status, requests }) =>
            part === 'page' ? [{ path, http_status: status, observed_request_count: requests }] : [],
          ),
        )
      }
    }),
    // The first is of so many pieces that some are read as one again.
    {
      numRuns: 4,
      examples: [
        [Array.from({ length: 9 }, (): Later => [{ does: 'import', count: 1, path: '/a', crawler: 'gptbot' }, 40])],
      ],
    },
  )
  expect(pieces).toBeGreaterThan(3)
})

test('pieces of a day whose answers are asked for from midnight on are few, and are seldom read again', () => {
  let pieces: { to: number }[] = []
  let read = 0
  for (let to = 5_000; to < DAY_MS; to += 30_000) {
    const before = piecesBefore(pieces, 0, to)
    read += to - (before.at(-1)?.to ?? 0)
    pieces = [...before, { to }]
    expect(pieces.length).toBeLessThanOrEqual(6)
  }
  expect(read / DAY_MS).toBeLessThan(13)
})

const KEY = ['grouping_id', 'date', 'crawler_id', 'status', 'purpose', 'scope', 'path_class'] as const
