/**
 * Random histories: what a detection finds with what earlier ones keep of days is what it finds by the outcomes of all
 * pages, read anew.
 */
import fc from 'fast-check'
import Type from 'typebox'
import { beforeAll, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#clock.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { utcDay } from '#days/utc-day.ts'
import { retireBuilds } from '#derived/builds.ts'
import { DerivedDays } from '#derived/derived-days.ts'
import { rows, sql, text, uuid } from '#evidence/sql.ts'
import { findHarmedPaths, readSuspects } from '#issues/detection/find-harmed-paths.ts'
import type { HarmedPath } from '#issues/detection/group-units.ts'
import { harmedUnit } from '#issues/detection/harmed-unit.ts'
import { openDetection } from '#issues/evidence/detection-scope.ts'
import type { PageOutcome } from '#issues/evidence/page-outcomes.sql.ts'
import { readOutcomes } from '#issues/evidence/read-outcomes.ts'
import { ruleFrom, STATUS_HARMS } from '#issues/harms.ts'
import type { Site } from '#sites/site.ts'
import { deliver } from '../support/deliver.ts'
import { serviceOfFile } from '../support/fresh.ts'
import type { TestService } from '../support/service.ts'

const AGENTS = [
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.4; +https://openai.com/gptbot',
]
const CRAWLERS = ['claudebot', 'gptbot']
const SOURCES = ['50dace50', '50dace51']
const PATHS = ['/', '/pricing']
const START = Date.parse('2026-03-10T01:30:00Z')

const request = fc.record({
  agent: fc.nat({ max: AGENTS.length - 1 }),
  path: fc.constantFrom(...PATHS),
  status: fc.constantFrom(200, 200, 403, 403, 404, 503, 503, 301, 0),
  requests: fc.integer({ min: 1, max: 5 }),
  days_ago: fc.nat({ max: 7 }),
  method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST'),
  edge_action: fc.constantFrom(null, null, null, 'none' as const, 'block' as const),
  // An address of a crawler whose names are not known yet: its requests wait for their proof.
  address: fc.constantFrom(null, null, '203.0.113.7'),
})

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('deliver' as const),
      requests: fc.array(request, { minLength: 4, maxLength: 16 }),
      source: fc.constantFrom(...SOURCES),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('time' as const), hours: fc.constantFrom(1, 3, 24) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('relabel' as const), from: fc.nat({ max: 1 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('identity' as const),
      identity: fc.constantFrom('unknown', 'network_verified', 'ua_identified'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('retention' as const), days_ago: fc.integer({ min: 1, max: 7 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('vantage' as const),
      vantage: fc.constantFrom('edge' as const, 'origin' as const, null),
      source: fc.constantFrom(...SOURCES),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('primary' as const),
      is_primary: fc.constantFrom(0 as const, 1 as const),
      source: fc.constantFrom(...SOURCES),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const file = serviceOfFile()
let service: TestService
beforeAll(async () => {
  service = await file.fresh(new Date(START).toISOString())
})

/** Makes one step of a history; returns the context that later detections work with. */
async function make(ctx: CrawlerContext, site: Site, one: Step): Promise<CrawlerContext> {
  const { clock, evidence, control } = ctx
  const source_id = (source: string) => site.id.replace(/^......../, source)
  const day = (days_ago: number) => utcDay(clock.now() - days_ago * DAY_MS)
  if (one.kind === 'deliver') {
    const delivered = one.requests.map(({ agent, days_ago, ...given }) => ({
      ...given,
      user_agent: AGENTS[agent] as string,
      at: clock.now() - days_ago * DAY_MS,
    }))
    await deliver({ ...service, crawlers: ctx }, site, delivered, one.source)
  } else if (one.kind === 'time') service.clock.set(new Date(clock.now() + one.hours * HOUR_MS).toISOString())
  else if (one.kind === 'relabel') {
    const [from, to] = [CRAWLERS[one.from] as string, CRAWLERS[1 - one.from] as string]
    await evidence.run(sql`
      INSERT INTO spoor.agent_labels (registry_version, agent_key, crawler_id, purpose, identity, scope)
      SELECT registry_version, agent_key, ${text(to)}, purpose, identity, scope
      FROM spoor.agent_labels FINAL WHERE crawler_id = ${text(from)}`)
  } else if (one.kind === 'identity') {
    await evidence.run(sql`
      INSERT INTO spoor.agent_labels (registry_version, agent_key, crawler_id, purpose, identity, scope)
      SELECT registry_version, agent_key, crawler_id, purpose, ${text(one.identity)}, scope
      FROM spoor.agent_labels FINAL WHERE crawler_id = 'gptbot'`)
  } else if (one.kind === 'retention') {
    await control.transaction((tx) =>
      retireBuilds(tx, { kind: 'crawlers', site_id: site.id, day: day(one.days_ago), retired_at: clock.now() }),
    )
  } else if (one.kind === 'vantage')
    await control.db
      .updateTable('sources')
      .set({ vantage: one.vantage })
      .where('id', '=', source_id(one.source))
      .execute()
  else if (one.kind === 'primary')
    await control.db
      .updateTable('sources')
      .set({ is_primary: one.is_primary })
      .where('id', '=', source_id(one.source))
      .execute()
  else return { ...ctx, derived: new DerivedDays() }
  return ctx
}

const Page = Type.Object({ page_id: Type.String(), host: Type.String(), path: Type.String() })
const allPages = (site_id: string) => rows(Page)`
  SELECT toString(page_id) AS page_id, host, path FROM spoor.pages FINAL WHERE site_id = ${uuid(site_id)}`

const keyOf = ({ page_id, crawler_id, vantage, harm }: HarmedPath) => [page_id, crawler_id, vantage, harm].join(' ')
const sorted = (paths: readonly HarmedPath[]) => paths.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
const byText = (outcomes: readonly PageOutcome[]) =>
  outcomes.map((one) => JSON.stringify(Object.entries(one).sort())).sort()

/** Finds harm as detection does. */
async function find(ctx: CrawlerContext, site: Site, changed_days: readonly string[] | null, pages: readonly string[]) {
  const of = await openDetection(ctx, site.id, null)
  if (of === null || of.scope.slices.length === 0) return { paths: [], outcomes: [] }
  of.days.open(ruleFrom(of.as_of))
  const { paths } = await findHarmedPaths(ctx, of, await readSuspects(ctx, of, changed_days))
  const outcomes = (await readOutcomes(ctx, of, pages, ruleFrom(of.as_of))).of(pages.map((page_id) => ({ page_id })))
  await of.days.close()
  return { paths, outcomes }
}

/** Finds it by the rule alone: every unit of every page, by outcomes that nothing keeps. */
async function findPlainly(
  ctx: CrawlerContext,
  site: Site,
  changed_days: readonly string[] | null,
  pages: readonly { page_id: string; host: string; path: string }[],
) {
  const of = await openDetection({ ...ctx, derived: new DerivedDays() }, site.id, null)
  if (of === null || of.scope.slices.length === 0) return { paths: [], outcomes: [] }
  const read = await readOutcomes(
    ctx,
    of,
    pages.map(({ page_id }) => page_id),
    ruleFrom(of.as_of),
  )
  const outcomes = read.of(pages)
  const units = Map.groupBy(outcomes, ({ page_id, crawler_id, vantage }) => [page_id, crawler_id, vantage].join(' '))
  const paths = [...units.values()].flatMap((own) => {
    const [{ page_id, crawler_id, vantage }] = own as [PageOutcome]
    const { host, path } = pages.find((page) => page.page_id === page_id) as (typeof pages)[number]
    const isNews = (harm: string) =>
      changed_days === null || own.some((one) => one.harm === harm && changed_days.includes(one.day))
    return STATUS_HARMS.filter(isNews)
      .flatMap((harm) => harmedUnit(own, harm) ?? [])
      .map((unit): HarmedPath => ({ host, path, page_id, crawler_id, vantage, ...unit }))
  })
  return { paths, outcomes }
}

test('kept days never change the result of a detection', { timeout: 300_000 }, async () => {
  let domains = 0
  let found = 0
  let kept = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 12 }), async (steps) => {
      service.clock.set(new Date(START).toISOString())
      const site = await service.addSite(`site-${++domains}.example.com`)
      let ctx: CrawlerContext = { ...service.crawlers, derived: new DerivedDays() }
      for (const one of steps) {
        ctx = await make(ctx, site, one)
        await service.rebuild()
        const pages = await ctx.evidence.all(allPages(site.id))
        const ids = pages.map(({ page_id }) => page_id)
        const today = utcDay(ctx.clock.now())
        for (const days of [null, [today, utcDay(ctx.clock.now() - 2 * DAY_MS)]]) {
          const before = ctx.derived.detection_rows.bytes
          const now = await find(ctx, site, days, ids)
          const plain = await findPlainly(ctx, site, days, pages)
          expect(sorted(now.paths)).toEqual(sorted(plain.paths))
          expect(byText(now.outcomes)).toEqual(byText(plain.outcomes))
          found += plain.paths.length
          if (before > 0) kept++
        }
      }
    }),
    { numRuns: 4, endOnFailure: true },
  )
  // The histories must have something to find, and something to keep.
  expect(found).toBeGreaterThan(10)
  expect(kept).toBeGreaterThan(10)
})
