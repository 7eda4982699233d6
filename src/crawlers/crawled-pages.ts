/** What crawlers asked for of the pages that visitors saw, and of pages under redacted paths (rules 6, Pages). */
import { createHash } from 'node:crypto'
import { compareBytes } from '#compare-text.ts'
import type { Row } from '#evidence/sql.ts'
import type { StatementLimits } from '#evidence/store.ts'
import type { SiteContext } from './context.ts'
import { crawledPages, digestOfRedacted, rankedPages, redactedPages } from './crawled-pages.sql.ts'
import { readSplit } from './kept-counts.ts'
import { type CrawlerScope, isEmpty } from './scope.sql.ts'

export interface CrawledPage {
  /** Requests that the purpose filter shows, of how many crawlers, and the last one, epoch milliseconds: 0 for none. */
  requests: number
  crawlers: number
  last_at: number
  /** Requests that the purpose filter hides. */
  hidden: number
}

export interface CrawledPattern extends CrawledPage {
  hostname: string
  path: string
}

export interface CrawledPages {
  by_page: ReadonlyMap<string, CrawledPage>
  /** The first redacted paths that crawlers asked for, most requests first, then by host and path. */
  patterns: readonly CrawledPattern[]
  /** Of how many. */
  total_patterns: number
}

export const NOTHING_CRAWLED: CrawledPages = { by_page: new Map(), patterns: [], total_patterns: 0 }

export interface RankedIds {
  /** Ids of the pages of the answer. */
  pages: readonly string[]
  /** These and those that may be in the next answer: counts of all are kept. */
  candidates: readonly string[]
}

export interface CrawledPagesInput {
  /** While pages are being ranked, those of the answer before are counted, which are most often the same. */
  ranked: RankedIds | Promise<RankedIds>
  /** What `readRedacted` returned. */
  redacted: Redacted
  /** At most so many redacted paths are returned. */
  max_patterns: number
  /** Of a site with more redacted paths nothing is kept. 10,000 by default. */
  max_redacted?: number
}

export interface Redacted {
  paths: number
  /** Changes when a redacted path is added or removed. */
  digest: string
}

/** How many redacted paths a site has. */
export async function readRedacted(
  { evidence }: Pick<SiteContext, 'evidence'>,
  site_id: string,
  limits: StatementLimits,
): Promise<Redacted> {
  const [found] = await evidence.all(digestOfRedacted(site_id), limits)
  return found ?? { paths: 0, digest: '' }
}

/**
 * What crawlers requested of these pages and of redacted paths. Strangers can make any number of redacted paths: for a
 * site with many of them the store ranks them, and only those of the answer are read.
 */
export async function countCrawled(
  ctx: SiteContext,
  scope: CrawlerScope,
  input: CrawledPagesInput,
  limits: StatementLimits,
): Promise<CrawledPages> {
  if (isEmpty(scope)) return NOTHING_CRAWLED
  const max_redacted = input.max_redacted ?? MAX_REDACTED
  const { paths, digest } = input.redacted
  if (paths > max_redacted) return rankInStore(ctx, scope, input, limits)
  const redacted = await ctx.derived.answers.getOrRead(`redacted pages ${scope.site_id}`, {
    version: digest,
    // One more than the bound, to notice paths that were added since they were counted.
    read: () => ctx.evidence.all(redactedPages(scope.site_id, max_redacted + 1), limits),
    bytesOf: (rows) =>
      rows.reduce((sum, row) => sum + BYTES_A_ROW + row.hostname.length + row.path.length, BYTES_A_ROW),
    isStillValid: async () => true,
  })
  if (redacted.length > max_redacted) return rankInStore(ctx, scope, input, limits)
  const count = (ids: readonly string[]) => {
    const name = createHash('sha256')
      .update(JSON.stringify([digest, ids]))
      .digest('base64')
    return readSplit<Count[]>(ctx, scope, {
      name: `crawled pages ${name}`,
      read: (of, evidence) => evidence.all(crawledPages(of, ids), limits),
      bytesOf: (rows) => (rows.length + 1) * BYTES_A_ROW,
    })
  }
  const parts = await countCandidates(ctx, scope.site_id, input.ranked, count)
  const by_page = addUpPages(parts.flat())
  const patterns = redacted.flatMap(({ page_id, ...name }) => {
    const page = by_page.get(page_id)
    return page === undefined || page.requests === 0 ? [] : [{ ...name, ...page }]
  })
  const total_patterns = patterns.length
  return { by_page, patterns: patterns.sort(inOrder).slice(0, input.max_patterns), total_patterns }
}

/** The same by one statement, which each answer runs again. */
async function rankInStore(
  { evidence }: SiteContext,
  scope: CrawlerScope,
  { ranked, max_patterns }: CrawledPagesInput,
  limits: StatementLimits,
): Promise<CrawledPages> {
  const { pages } = await ranked
  const rows = await evidence.all(rankedPages(scope, pages, max_patterns), limits)
  const by_page = new Map(rows.map((row) => [row.page_id, row]))
  const patterns = rows.filter(({ is_redacted, requests }) => is_redacted > 0 && requests > 0)
  const [first] = rows
  const total_patterns = first === undefined ? 0 : first.total_patterns
  return { by_page, patterns: patterns.sort(inOrder).slice(0, max_patterns), total_patterns }
}

type Count = Row<ReturnType<typeof crawledPages>>

const BYTES_A_ROW = 300
const MAX_REDACTED = 10_000

/**
 * Counts the candidates of the answer before, whose counts are kept, if they include the pages of this answer.
 */
async function countCandidates<T>(
  { derived: { answers } }: SiteContext,
  site_id: string,
  ranked: CrawledPagesInput['ranked'],
  count: (ids: readonly string[]) => Promise<T>,
): Promise<T> {
  const key = `candidates ${site_id}`
  const kept = answers.get<string[]>(key)
  const known = new Set(kept)
  const counting = kept === undefined ? undefined : count(kept)
  // It may fail while pages are ranked, or when no answer needs it any more.
  counting?.catch(() => {})
  const { pages, candidates } = await ranked
  if (counting !== undefined && pages.every((id) => known.has(id))) return counting
  const ids = [...candidates].sort()
  answers.set(key, ids, (ids.length + 1) * BYTES_A_ROW)
  return count(ids)
}

function addUpPages(rows: readonly Count[]): Map<string, CrawledPage> {
  const crawlers = new Map<string, Set<string>>()
  const pages = new Map<string, CrawledPage>()
  for (const { page_id, crawler_id, requests, last_at } of rows) {
    const page = pages.get(page_id) ?? { requests: 0, crawlers: 0, last_at: 0, hidden: 0 }
    pages.set(page_id, page)
    if (crawler_id === '') {
      page.hidden += requests
      continue
    }
    const known = crawlers.get(page_id) ?? new Set()
    crawlers.set(page_id, known.add(crawler_id))
    page.requests += requests
    page.crawlers = known.size
    page.last_at = Math.max(page.last_at, last_at)
  }
  return pages
}

const inOrder = (a: CrawledPattern, b: CrawledPattern): number =>
  b.requests - a.requests || compareBytes(a.hostname, b.hostname) || compareBytes(a.path, b.path)
