/**
 * Counts open days in advance. The first read of a day with millions of facts takes seconds, and later reads take
 * longer the more facts are new. So large days are counted once after a start, and recently used counts are updated.
 */
import { DEFAULT_PURPOSES, PURPOSES } from '#contract/vocabulary.ts'
import { utcDay } from '#days/utc-day.ts'
import { largeDays } from './cached-counts.sql.ts'
import { withOneThread } from './cached-pieces.ts'
import type { CrawlerContext, SiteContext } from './context.ts'
import { readCrawler } from './crawler.ts'
import { readCrawlers } from './crawlers.ts'
import { readPerformance } from './performance.ts'
import { readTopPages } from './top-pages.ts'
import { readUnregisteredAgents } from './unregistered-agents.ts'

/** Smaller days are counted fast enough when an answer needs them. */
const MIN_REQUESTS = 200_000
/** With fewer new facts, another piece would cost more than it saves; answers read these facts. */
const MIN_FACTS = 20_000
/** Further large sites are counted when an answer needs them. */
const MAX_SITES = 20
/** How many crawlers of a large site have their answers counted in advance: those with the most requests. */
const MAX_CRAWLERS = 3

/** Reads an answer so that its counts are cached. */
export type ReadInAdvance = () => Promise<unknown>

interface CountingOptions {
  min_requests?: number
  min_facts?: number
  /** Reads of answers about a large site that other modules contribute. */
  also?: (site: SiteContext) => readonly ReadInAdvance[]
}

/**
 * Updates recently used counts, and counts one large site. Reads one answer at a time, each statement with one thread.
 * `stop` is called between two reads.
 */
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
  const site_id = await nextLargeSite(ctx, { day, now, min_requests })
  if (site_id === undefined) return
  // Set before the reads, so that a site whose reads fail is tried only once.
  ctx.derived.openDayReads.counted.set(site_id, day)
  const site = await findSite(ctx, site_id)
  if (site === null) return
  for (const read of [...(await defaultReads(site)), ...also(site)]) {
    if (stop()) return
    await read()
  }
}

/**
 * The next large site to count in advance; undefined if there is none. Each run counts one, because counting several
 * takes a minute or more, in which recently used counts would not be updated.
 */
async function nextLargeSite(
  ctx: CrawlerContext,
  { day, now, min_requests }: { day: string; now: number; min_requests: number },
): Promise<string | undefined> {
  const { counted, uncounted } = ctx.derived.openDayReads
  if (uncounted.length === 0 && ctx.derived.openDayReads.beginSearch(now)) {
    const large = await withOneThread(ctx.evidence).all(largeDays(day, min_requests, MAX_SITES))
    uncounted.push(...large.map(({ site_id }) => site_id).filter((site_id) => counted.get(site_id) !== day))
  }
  return uncounted.shift()
}

/** The context of a site for reads in advance, with one thread per statement. */
async function findSite(ctx: CrawlerContext, site_id: string): Promise<SiteContext | null> {
  const row = await ctx.control.db.selectFrom('sites').selectAll().where('id', '=', site_id).executeTakeFirst()
  if (row === undefined) return null
  return { ...ctx, evidence: withOneThread(ctx.evidence), site: { ...row, role: 'owner' }, is_in_advance: true }
}

/** The answers that the dashboard requests first. Other windows share the counts of the open day. */
async function defaultReads(site: SiteContext): Promise<ReadInAdvance[]> {
  const input = { window: '30d' as const, purpose: [...DEFAULT_PURPOSES] }
  const { crawlers } = await readCrawlers(site, { ...input, purpose: [...PURPOSES] })
  return [
    () => readPerformance(site, input),
    () => readCrawlers(site, input),
    () => readTopPages(site, { ...input, limit: 50 }),
    () => readUnregisteredAgents(site, { window: '30d', limit: 50 }),
    ...crawlers.slice(0, MAX_CRAWLERS).map(
      ({ crawler_id }) =>
        () =>
          readCrawler(site, { window: '30d', crawler_id, limit: 50 }),
    ),
  ]
}
