/** Counts the crawler requests of pages that visitors saw, and of pages under redacted paths (rules 6, Pages). */
import { createHash } from 'node:crypto'
import { compareBytes } from '#compare-text.ts'
import type { Row } from '#evidence/sql.ts'
import type { StatementLimits } from '#evidence/store.ts'
import { readSplit } from './cached-counts.ts'
import type { SiteContext } from './context.ts'
import { crawledPages, digestOfRedacted, rankedPages, redactedPages } from './crawled-pages.sql.ts'
import { type CrawlerScope, isEmpty } from './scope.sql.ts'

export interface CrawledPage {
  /** Requests that the purpose filter shows, the number of their crawlers, and the last one (epoch ms; 0 for none). */
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
  /** The redacted paths with the most crawler requests, then by host and path. */
  patterns: readonly CrawledPattern[]
  /** The number of all redacted paths with crawler requests. */
  total_patterns: number
}

export const NOTHING_CRAWLED: CrawledPages = { by_page: new Map(), patterns: [], total_patterns: 0 }

export interface RankedIds {
  /** Ids of the pages of the answer. */
  pages: readonly string[]
  /** These pages and others that may be in the next answer; the counts of all are cached. */
  candidates: readonly string[]
}

export interface CrawledPagesInput {
  /** While it is pending, the pages of the previous answer are counted, which are usually the same. */
  ranked: RankedIds | Promise<RankedIds>
  /** The result of `readRedacted`. */
  redacted: Redacted
  /** The most redacted paths that are returned. */
  max_patterns: number
  /** With more redacted paths, no counts are cached. 10,000 by default. */
  max_redacted?: number
}

export interface Redacted {
  paths: number
  /** Changes when a redacted path is added or removed. */
  digest: string
}

/** The number of a site's redacted paths, and their digest, read once until pages are written. */
export async function readRedacted(
  { evidence, derived }: Pick<SiteContext, 'evidence' | 'derived'>,
  site_id: string,
  limits: StatementLimits,
): Promise<Redacted> {
  const read = async () => (await evidence.all(digestOfRedacted(site_id), limits))[0] ?? { paths: 0, digest: '' }
  const version = evidence.versionOf('pages')
  if (version === null) return read()
  return derived.answers.getOrRead(`digest of redacted pages ${site_id}`, {
    version,
    read,
    bytesOf: () => BYTES_A_ROW,
    isStillValid: async () => evidence.versionOf('pages') === version,
  })
}

/**
 * The crawler requests of the ranked pages and of redacted paths. Strangers can create any number of redacted paths. If
 * a site has many, the store ranks them, and only those of the answer are read.
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

/** Counts with one statement, whose result is not cached. */
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

/** Counts the candidates of the previous answer, whose counts are cached, if they include the pages of this answer. */
async function countCandidates<T>(
  { derived: { answers } }: SiteContext,
  site_id: string,
  ranked: CrawledPagesInput['ranked'],
  count: (ids: readonly string[]) => Promise<T>,
): Promise<T> {
  const key = `candidates ${site_id}`
  const previous = answers.get<string[]>(key)
  const known = new Set(previous)
  const counting = previous === undefined ? undefined : count(previous)
  // It may fail while the ranking is awaited, or when its result is no longer needed.
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
