/**
 * Counts open days in advance. The first read of a day of millions of facts takes seconds, and later reads take longer
 * the more has come since. So large days are counted once after a start, and counts that answers used lately are
 * updated.
 */
import { DEFAULT_PURPOSES, PURPOSES } from '#contract/vocabulary.ts'
import { utcDay } from '#days/utc-day.ts'
import type { CrawlerContext, SiteContext } from './context.ts'
import { readCrawler } from './crawler.ts'
import { readCrawlers } from './crawlers.ts'
import { largeDays } from './kept-counts.sql.ts'
import { withOneThread } from './kept-pieces.ts'
import { readPerformance } from './performance.ts'
import { readTopPages } from './top-pages.ts'
import { readUnregisteredAgents } from './unregistered-agents.ts'

/** Days with fewer requests are counted fast enough when an answer needs them. */
const MIN_REQUESTS = 200_000
/** With fewer new facts another piece would cost more than it saves: answers read them themselves. */
const MIN_FACTS = 20_000
/** Further large sites are counted when an answer needs them. */
const MAX_SITES = 20
/** Of a large site, the answers about these many crawlers, those with the most requests, are counted in advance. */
const CRAWLERS = 3

/** An answer that is read for what is kept of it. */
export type ReadInAdvance = () => Promise<unknown>

interface CountingOptions {
  min_requests?: number
  min_facts?: number
  /** Answers about a large site that other modules want to be counted in advance. */
  also?: (of: SiteContext) => readonly ReadInAdvance[]
}

/** One site and one read after the other, each statement with one thread. `stop` is called between two reads. */
export async function countOpenDays(
  ctx: CrawlerContext,
  stop: () => boolean = () => false,
  { min_requests = MIN_REQUESTS, min_facts = MIN_FACTS, also = () => [] }: CountingOptions = {},
): Promise<void> {
  const now = ctx.clock.now()
  for (const read of ctx.derived.openDayReads.recent(now)) {
    if (stop()) return
    await read.refresh(min_facts, now)
  }
  const day = utcDay(now)
  const { counted } = ctx.derived.openDayReads
  if (!ctx.derived.openDayReads.takeLook(now)) return
  const evidence = withOneThread(ctx.evidence)
  for (const { site_id } of await evidence.all(largeDays(day, min_requests, MAX_SITES))) {
    if (counted.get(site_id) === day) continue
    // Even if it fails: it is tried only once in advance.
    counted.set(site_id, day)
    const of = await findSite(ctx, site_id)
    if (of === null) continue
    for (const read of [...(await defaultReads(of)), ...also(of)]) {
      if (stop()) return
      await read()
    }
  }
}

/** The site as its answers in advance see it, with one thread. */
async function findSite(ctx: CrawlerContext, site_id: string): Promise<SiteContext | null> {
  const row = await ctx.control.db.selectFrom('sites').selectAll().where('id', '=', site_id).executeTakeFirst()
  if (row === undefined) return null
  return { ...ctx, evidence: withOneThread(ctx.evidence), site: { ...row, role: 'owner' }, is_in_advance: true }
}

/** What the dashboard asks for first. Other windows count the same pieces of the open day. */
async function defaultReads(of: SiteContext): Promise<ReadInAdvance[]> {
  const input = { window: '30d' as const, purpose: [...DEFAULT_PURPOSES] }
  const { crawlers } = await readCrawlers(of, { ...input, purpose: [...PURPOSES] })
  return [
    () => readPerformance(of, input),
    () => readCrawlers(of, input),
    () => readTopPages(of, { ...input, limit: 50 }),
    () => readUnregisteredAgents(of, { window: '30d', limit: 50 }),
    ...crawlers.slice(0, CRAWLERS).map(
      ({ crawler_id }) =>
        () =>
          readCrawler(of, { window: '30d', crawler_id, limit: 50 }),
    ),
  ]
}
