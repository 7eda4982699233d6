/**
 * Counts open days in advance. The first read of a day of millions of facts takes seconds, and later reads take longer
 * the more has come since. So large days are counted once after a start, and counts that answers used lately are
 * updated.
 */
import { DEFAULT_PURPOSES } from '#contract/vocabulary.ts'
import { utcDay } from '#days/utc-day.ts'
import type { CrawlerContext, SiteContext } from './context.ts'
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

/** One site and one read after the other, each statement with one thread. `stop` is called between two reads. */
export async function countOpenDays(
  ctx: CrawlerContext,
  stop: () => boolean = () => false,
  { min_requests = MIN_REQUESTS, min_facts = MIN_FACTS }: { min_requests?: number; min_facts?: number } = {},
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
    for (const read of await defaultReads(ctx, site_id)) {
      if (stop()) return
      await read()
    }
  }
}

/** What the dashboard asks for first. Other windows count the same pieces of the open day. */
async function defaultReads(ctx: CrawlerContext, site_id: string): Promise<(() => Promise<unknown>)[]> {
  const row = await ctx.control.db.selectFrom('sites').selectAll().where('id', '=', site_id).executeTakeFirst()
  if (row === undefined) return []
  const of: SiteContext = { ...ctx, evidence: withOneThread(ctx.evidence), site: { ...row, role: 'owner' } }
  const input = { window: '30d' as const, purpose: [...DEFAULT_PURPOSES] }
  return [
    () => readPerformance(of, input),
    () => readCrawlers(of, input),
    () => readTopPages(of, { ...input, limit: 50 }),
    () => readUnregisteredAgents(of, { window: '30d', limit: 50 }),
  ]
}
