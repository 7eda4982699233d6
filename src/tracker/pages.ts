/** Pages that visitors saw, and beside them crawlers' requests: two kinds of evidence, never added (rules 6, Pages). */
import { instantText } from '#clock.ts'
import { CRAWLER_PATTERNS } from '#contract/site-api/analytics-pages.ts'
import type { AnalyticsPages, AnalyticsPagesInput } from '#contract/site-api/index.ts'
import { DEFAULT_PURPOSES } from '#contract/vocabulary.ts'
import { type CrawlerReading, openReading } from '#crawlers/coverage/meta.ts'
import { publish, verdictOfPage } from '#crawlers/coverage/publish-count.ts'
import {
  type CrawledPage,
  type CrawledPages,
  countCrawled,
  NOTHING_CRAWLED,
  type Redacted,
  readRedacted,
} from '#crawlers/crawled-pages.ts'
import { eachDay } from '#days/windows.ts'
import type { Row } from '#evidence/sql.ts'
import type { StatementLimits } from '#evidence/store.ts'
import type { TrackerContext } from './context.ts'
import { type ConvertedPlan, findConverted, planConverted } from './conversions/converted.ts'
import { envelope } from './coverage/envelope.ts'
import { type OpenedReading, openTrackerReading } from './coverage/open-reading.ts'
import { publishCount } from './coverage/publish-count.ts'
import { withEvidence } from './coverage/with-evidence.ts'
import type { Including } from './development/include.ts'
import { pageviewCounts } from './pages.sql.ts'
import { pagesFromSums } from './pageview-sums.ts'
import { isEmptyScope } from './scope.ts'

type PageCount = Row<ReturnType<typeof pageviewCounts>>

/** What was counted of both kinds of evidence. */
interface Counted {
  pages: PageCount[]
  /** Whether a conversion was in force on a covered day. */
  asks_conversions: boolean
  crawled: CrawledPages
}

export async function readAnalyticsPages(
  ctx: TrackerContext,
  input: Pick<AnalyticsPagesInput, 'window' | 'limit'> & Including,
): Promise<AnalyticsPages> {
  const { window, include } = input
  const reading = await openTrackerReading(ctx, {
    window,
    include,
    reader: 'pages',
    also: (tx, range) => findConverted(tx, ctx.site.id, range),
  })
  return withEvidence(
    ctx,
    reading,
    async (evidence, limits) => {
      const converted = reading.has_evidence ? planConverted(reading, reading.also) : null
      const of = { ...ctx, evidence }
      const redacted = readRedacted(of, ctx.site.id, limits)
      const candidates = countPages(of, reading, { limit: CANDIDATES * input.limit, converted, redacted }, limits)
      const ranked = neverUnhandled(
        candidates.then((rows) => ({ pages: rows.slice(0, input.limit).map(idOf), candidates: rows.map(idOf) })),
      )
      // Coverage first, counts after.
      const crawlers = openReading(ctx, { window: input.window, purpose: DEFAULT_PURPOSES })
      const crawled = Promise.all([crawlers, redacted]).then(([{ scope }, found]) =>
        countCrawled(of, scope, { ranked, redacted: found, max_patterns: CRAWLER_PATTERNS }, limits),
      )
      const [opened, rows, counted] = await Promise.all([crawlers, candidates, crawled])
      const pages = rows.slice(0, input.limit)
      return present(input, reading, opened, { pages, asks_conversions: converted !== null, crawled: counted })
    },
    (unread) => present(input, unread, null, { pages: [], asks_conversions: false, crawled: NOTHING_CRAWLED }),
  )
}

interface PagesInput {
  limit: number
  converted: ConvertedPlan | null
  redacted: Promise<Redacted>
}

/** The pages with the most pageviews, from kept sums if there are any, else by one statement. */
async function countPages(
  ctx: TrackerContext,
  { has_evidence, scope }: OpenedReading,
  { limit, converted, redacted }: PagesInput,
  limits: StatementLimits,
): Promise<PageCount[]> {
  if (!has_evidence || isEmptyScope(scope)) return []
  const names_version = neverUnhandled(redacted.then(({ digest }) => digest))
  const rows = await pagesFromSums(ctx, { scope, converted, limit, names_version }, limits)
  return rows ?? ctx.evidence.all(pageviewCounts(scope, limit, converted), limits)
}

/** Its later reader fails with it; until then, or without a reader, a rejection does not count as unhandled. */
function neverUnhandled<T>(made: Promise<T>): Promise<T> {
  made.catch(() => {})
  return made
}

/** How many times more pages are ranked than the answer lists, so that crawler data of pages that rise is cached. */
const CANDIDATES = 2

const idOf = ({ page_id }: PageCount): string => page_id

function present(
  { window, limit }: Pick<AnalyticsPagesInput, 'window' | 'limit'>,
  reading: OpenedReading,
  crawlers: CrawlerReading | null,
  { pages, asks_conversions, crawled }: Counted,
): AnalyticsPages {
  const [first] = pages
  const page_count = first === undefined ? 0 : first.total_pages
  const reading_of_crawlers = crawlers !== null && isObserved(crawlers) ? crawlers : null
  const observed = reading_of_crawlers === null ? null : reading_of_crawlers.verdict
  const { by_page, patterns, total_patterns } = crawled
  return {
    meta: {
      ...envelope(reading, {
        contract_version: 'analytics-pages/v1',
        evaluator_version: 'sessions/v1',
        preset: window,
      }),
      pagination: {
        limit,
        returned_count: pages.length,
        total_count: publishCount(reading, page_count),
        truncated: page_count > pages.length,
      },
    },
    summary: {
      pageviews: publishCount(reading, first === undefined ? 0 : first.total_pageviews),
      sessions: publishCount(reading, first === undefined ? 0 : first.total_entries),
      page_count: publishCount(reading, page_count),
      crawler_purpose_filter: [...DEFAULT_PURPOSES],
      crawler_evidence_state: observed === null ? null : observed.state,
      crawler_pattern_count: observed === null ? null : publish(observed, total_patterns),
    },
    pages: pages.map((page) => ({
      hostname: page.hostname,
      path: page.path,
      path_fidelity: page.path_fidelity,
      pageviews: page.pageviews,
      sessions: page.sessions,
      entries: page.entries,
      exits: page.exits,
      conversions: asks_conversions ? page.converted : null,
      crawler: crawlerColumns(reading_of_crawlers, page.hostname, by_page.get(page.page_id)),
    })),
    crawler_patterns: patterns.map((row) => ({
      hostname: row.hostname,
      path: row.path,
      path_fidelity: 'redacted' as const,
      observed_request_count: row.requests,
      observed_crawler_count: row.crawlers,
      last_observed_at: instantText(row.last_at),
    })),
  }
}

/** False when no day of the window is observed: unknown, or gaps throughout. */
function isObserved({ meta, verdict }: CrawlerReading): boolean {
  const gap_days = meta.gaps.flatMap(eachDay).length
  return verdict.state !== 'unknown' && gap_days < eachDay(meta.window).length
}

/** Null where no source covered the host of the page, unless requests were seen there all the same. */
function crawlerColumns(
  crawlers: CrawlerReading | null,
  hostname: string,
  row: CrawledPage | undefined,
): AnalyticsPages['pages'][number]['crawler'] {
  const { requests, hidden, crawlers: of_crawlers, last_at } = row ?? NOT_CRAWLED
  const observed = crawlers === null ? null : verdictOfPage(crawlers, [hostname])
  if (observed === null || !(observed.is_covered || requests + hidden > 0)) {
    const unknown = { observed_request_count: null, observed_crawler_count: null, last_observed_at: null }
    return { evidence_state: null, ...unknown, hidden_request_count: null }
  }
  return {
    evidence_state: observed.state,
    observed_request_count: publish(observed, requests),
    observed_crawler_count: publish(observed, of_crawlers),
    last_observed_at: requests === 0 ? null : instantText(last_at),
    hidden_request_count: publish(observed, hidden),
  }
}

const NOT_CRAWLED: CrawledPage = { requests: 0, crawlers: 0, last_at: 0, hidden: 0 }
