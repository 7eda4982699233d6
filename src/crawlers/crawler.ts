import type { CrawlerAnswer, CrawlerInput } from '#contract/site-api/index.ts'
import { IDENTITIES, PURPOSES } from '#contract/vocabulary.ts'
import type { Row } from '#evidence/sql.ts'
import { quoted } from '#foreign-text.ts'
import { Refusal } from '#refusal.ts'
import type { SiteContext } from './context.ts'
import { withReading } from './coverage/fall-back-to-roll-ups.ts'
import type { CrawlerReading } from './coverage/meta.ts'
import { publish } from './coverage/publish-count.ts'
import { crawlerDetails } from './crawler.sql.ts'
import { detailsFromSums } from './crawler-sums.ts'
import { foldOutcomes } from './http-outcomes.ts'
import { addressListOf, readHeldLists } from './identity/lists/held-lists.ts'
import type { Registry } from './registry/classify.ts'
import type { RegistryEntry } from './registry/document.ts'
import { isEmpty } from './scope.sql.ts'
import { comparePages, PARTS_OF_PAGES } from './top-pages.ts'

type Detail = Row<ReturnType<typeof crawlerDetails>>

/**
 * One crawler in the window: its requests by day, outcome and identity, and its pages with their statuses (spec 2.5).
 * No purpose filter applies, because the caller names the crawler.
 * @throws Refusal not_found: the registry in force has no crawler of this id whose requests are counted.
 */
export async function readCrawler(ctx: SiteContext, input: CrawlerInput): Promise<CrawlerAnswer> {
  const all = { window: input.window, purpose: PURPOSES }
  return withReading(ctx, all, (reading, parts) => describeCrawler(ctx, reading, input, parts), PARTS_OF_PAGES)
}

async function describeCrawler(
  ctx: SiteContext,
  { meta, verdict, scope }: CrawlerReading,
  { crawler_id, limit }: CrawlerInput,
  parts: number,
): Promise<CrawlerAnswer> {
  const registry = await (scope.registry_version === null
    ? ctx.registries.current()
    : ctx.registries.open(scope.registry_version))
  const entry = findEntry(registry, crawler_id)
  const held = await readHeldLists(ctx)
  const details = isEmpty(scope) ? [] : await readDetails(ctx, scope, { crawler_id, limit }, parts)
  const daily = details.filter(({ part }) => part === 'daily')
  const total = daily.reduce((sum, { requests }) => sum + requests, 0)
  const identities = details.filter(({ part }) => part === 'identity')
  const observed = IDENTITIES.flatMap((identity) => identities.filter((row) => row.identity === identity))
  const { pages, total_pages } = foldPages(details, limit, total)
  return {
    meta,
    crawler_id: entry.crawler_id,
    platform: entry.platform,
    display_name: entry.display_name,
    purpose: entry.purpose,
    scope: entry.scope as CrawlerAnswer['scope'],
    also_declared: entry.also_declared.map((declared) => declared.use),
    observed_request_count: publish(verdict, total),
    identity: (observed[0]?.identity as CrawlerAnswer['identity'] | undefined) ?? null,
    identities: observed.map(({ identity, requests }) => ({
      identity: identity as CrawlerAnswer['identities'][number]['identity'],
      observed_request_count: requests,
    })),
    address_list: addressListOf(entry, held),
    daily: daily.map(({ date, requests }) => ({ date, observed_request_count: requests })),
    http_outcomes: foldOutcomes(
      details.filter(({ part }) => part === 'status').map(({ status, requests }) => ({ status, counted: requests })),
    ),
    limit,
    returned_count: pages.length,
    total_count: publish(verdict, total_pages),
    truncated: total_pages > pages.length,
    pages,
  }
}

/** Advertising crawlers are never counted, and names that only robots.txt knows send no requests (decisions 3.3). */
function findEntry(registry: Registry, crawler_id: string): RegistryEntry {
  const entry = registry.entry(crawler_id)
  const of = `crawler_id is ${quoted(crawler_id)}`
  if (entry === undefined) {
    throw new Refusal(
      'not_found',
      `${of}; registry version ${registry.version} has no crawler of this id. {next} shows the observed ones, for example gptbot.`,
      { next: { step: 'report.crawlers' } },
    )
  }
  if (!registry.counts(entry)) {
    throw new Refusal('not_found', `${of}, which crawls for advertising: no answer counts its requests.`)
  }
  if (entry.robots_only) {
    throw new Refusal('not_found', `${of}, which is a name in robots.txt only: no request carries it.`)
  }
  return entry
}

/**
 * The rows from cached sums, or from one statement; if the pages are read in several parts, the totals once and the
 * pages of all parts.
 */
async function readDetails(
  ctx: SiteContext,
  scope: CrawlerReading['scope'],
  { crawler_id, limit }: Pick<CrawlerInput, 'crawler_id' | 'limit'>,
  parts: number,
): Promise<Detail[]> {
  if (parts === 1) {
    const details = await detailsFromSums(ctx, scope, { crawler_id, limit })
    return details ?? ctx.evidence.all(crawlerDetails(scope, crawler_id, { limit }))
  }
  const read: Detail[][] = []
  for (let index = 0; index < parts; index++) {
    read.push(await ctx.evidence.all(crawlerDetails(scope, crawler_id, { limit, part: { index, of: parts } })))
  }
  const total_pages = read.reduce((sum, rows) => sum + pagesOfPart(rows), 0)
  const totals = (read[0] as Detail[]).filter(({ part }) => part !== 'page')
  const pages = read.flat().filter(({ part }) => part === 'page')
  return [...totals, ...pages.map((row) => ({ ...row, total_pages }))]
}

function pagesOfPart(rows: readonly Detail[]): number {
  const first = rows.find(({ part }) => part === 'page')
  return first === undefined ? 0 : first.total_pages
}

/** Folds the statuses of each page into a row; returns the first `limit` pages. */
function foldPages(details: readonly Detail[], limit: number, total: number) {
  const rows = details.filter(({ part }) => part === 'page')
  const byPage = [...Map.groupBy(rows, ({ host, path }) => `${host} ${path}`).values()]
  const pages = byPage
    .map((statuses) => ({ statuses, page: statuses[0] as Detail }))
    .sort((a, b) =>
      comparePages({ ...a.page, requests: a.page.page_requests }, { ...b.page, requests: b.page.page_requests }),
    )
    .slice(0, limit)
    .map(({ statuses, page }) => ({
      host: page.host,
      path: page.path,
      observed_request_count: page.page_requests,
      // Parts are read one after the other, so a page may have more requests than when the total was read.
      observed_share: Math.min(1, page.page_requests / total),
      observed_response_count: statuses.reduce((sum, row) => (row.status === 0 ? sum : sum + row.requests), 0),
      statuses: statuses.map(({ status, requests }) => ({
        http_status: status === 0 ? null : status,
        observed_request_count: requests,
      })),
      path_class: page.path_class,
      path_fidelity: page.path_fidelity,
    }))
  return { pages, total_pages: pagesOfPart(rows) }
}
