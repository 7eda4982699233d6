/** Whatever happens to a site, answers out of months, days and what is kept of them say what its facts say. */
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { DAY_MS } from '#clock.ts'
import { PURPOSES } from '#contract/vocabulary.ts'
import type { SiteContext } from '#crawlers/context.ts'
import { openReading } from '#crawlers/coverage/meta.ts'
import { readCrawler } from '#crawlers/crawler.ts'
import { readPerformance } from '#crawlers/performance.ts'
import { readTopPages } from '#crawlers/top-pages.ts'
import { readUnregisteredAgents } from '#crawlers/unregistered-agents.ts'
import { history } from '#demo/history.ts'
import { DerivedDays } from '#derived/derived-days.ts'
import { markDays } from '#derived/dirty-days.ts'
import { jsonRows } from '#evidence/rows/json-rows.ts'
import { agentKey } from '#intake/facts/fact.ts'
import { expireDays } from '#retention/mark-expired-days.ts'
import type { Site } from '#sites/site.ts'
import { serviceOfFile } from '../../support/fresh.ts'
import type { TestService } from '../../support/service.ts'

let service: TestService
let site: Site
let ctx: SiteContext
const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh('2026-03-10T12:00:00.000Z')
})

const DAYS = ['2025-12-30', '2026-01-01', '2026-01-31', '2026-02-03', '2026-02-04', '2026-03-01', '2026-03-10'] as const
const GPTBOT = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.2; +https://openai.com/gptbot'

const requests = fc.record({
  day: fc.constantFrom(...DAYS),
  agent: fc.constantFrom(GPTBOT, 'OAI-SearchBot/1.0', 'FreshCrawl/1.0 (+https://fresh.example/about)'),
  path: fc.constantFrom('/', '/a', '/b', '/c'),
  status: fc.constantFrom(200, 404, 503),
  count: fc.integer({ min: 1, max: 4 }),
})

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('import'), log: fc.array(requests, { minLength: 1, maxLength: 6 }) }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('derive') }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('label'), identity: fc.constantFrom('unknown', 'network_verified') }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('expire'), day: fc.constantFrom(...DAYS) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('wait'), days: fc.constantFrom(1, 25) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

async function play(of: Step): Promise<void> {
  const { control, evidence, clock, registries } = service.crawlers
  if ('log' in of) {
    const log = history()
    for (const { day, agent, count: n, ...options } of of.log) log.on(day).agent(agent).requests(n, options)
    await service.importText(site, log)
  }
  if (of.does === 'derive') await service.rebuild()
  if ('identity' in of) {
    const { version } = await registries.current()
    const label = [version, agentKey(GPTBOT), 'gptbot', 'training', of.identity, 'ai']
    await evidence.insert('agent_labels', jsonRows([label]), 1)
  }
  if ('day' in of) {
    const sources = await control.db.selectFrom('sources').selectAll().where('site_id', '=', site.id).execute()
    for (const source of sources) await expireDays(service.crawlers, { source, days: [of.day] })
  }
  if ('days' in of) service.clock.advance(of.days * DAY_MS)
  expect(clock.now()).toBeGreaterThan(0)
}

async function answers(of: SiteContext) {
  const all = { window: '365d' as const, purpose: [...PURPOSES] }
  const some = { window: '365d' as const, purpose: ['search' as const] }
  const found = await Promise.all([
    readTopPages(of, { ...some, limit: 2 }),
    readPerformance(of, all),
    readCrawler(of, { window: '365d', crawler_id: 'gptbot', limit: 3 }),
    readUnregisteredAgents(of, { window: '365d', limit: 50 }),
  ])
  return found.map((answer) => ({ ...answer, meta: null }))
}

/** The same, every day from facts and nothing recalled. */
async function answersOfFacts() {
  const { control } = service.crawlers
  const days = DAYS.map((day) => ({ site_id: site.id, day }))
  await control.transaction((tx) => markDays(tx, { kind: 'crawlers', cause: 'test', state: 'writing', now: 1 }, days))
  const found = await answers({ ...ctx, derived: new DerivedDays() })
  await control.db.deleteFrom('dirty_days').where('cause', '=', 'test').execute()
  return found
}

/** A month that is summed for certain: random steps leave one out now and then. */
const SUMMED_MONTH: Step[] = [
  { does: 'import', log: [{ day: '2026-01-31', agent: GPTBOT, path: '/a', status: 200, count: 2 }] },
  { does: 'derive' },
]

test('answers are those of the facts after every step', async () => {
  let sites = 0
  let months = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 7 }), async (steps) => {
      site = await service.addSite(`months-${sites++}.example`)
      ctx = { ...service.crawlers, site }
      const months_before = months
      for (const one of [...steps, { does: 'derive' }, { does: 'derive' }]) {
        await play(one as Step)
        expect(await answers(ctx)).toEqual(await answersOfFacts())
        const { scope } = await openReading(ctx, { window: '365d', purpose: PURPOSES })
        months += scope.months.length
      }
      if (steps === SUMMED_MONTH) expect(months).toBeGreaterThan(months_before)
    }),
    { numRuns: 3, examples: [[SUMMED_MONTH]] },
  )
})
