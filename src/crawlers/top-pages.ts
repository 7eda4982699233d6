import { compareBytes } from '#compare-text.ts'
import type { TopPages, TopPagesInput } from '#contract/site-api/index.ts'
import { type PATH_CLASSES, PURPOSES } from '#contract/vocabulary.ts'
import type { Row } from '#evidence/sql.ts'
import type { SiteContext } from './context.ts'
import { withReading } from './coverage/fall-back-to-roll-ups.ts'
import type { CrawlerReading } from './coverage/meta.ts'
import { publish } from './coverage/publish-count.ts'
import { decodePageSums, sizeOf } from './page-sums.ts'
import { MAX_PAGES, rankFromSums } from './rank-from-sums.ts'
import { type CrawlerScope, isEmpty } from './scope.sql.ts'
import { MASK_BITS, pageCounts, pageSums, type TopPagesLimits } from './top-pages.sql.ts'

/** `path_class`: counts only pages of that class, whose requests are then the total. */
type RankedInput = TopPagesInput & { path_class?: (typeof PATH_CLASSES)[number] }

/** The pages with the most crawler requests; a page is a distinct host and path/v1 (spec 2.5 TopPages, rules 2). */
export async function readTopPages(ctx: SiteContext, input: RankedInput): Promise<TopPages> {
  return withReading(ctx, input, (reading, parts) => rankPages(ctx, reading, input, parts), PARTS_OF_PAGES)
}

/** Pages that tie are ordered by name, and millions of names do not fit into the memory of one statement. */
export const PARTS_OF_PAGES = [1, 8, 64]

async function rankPages(
  ctx: SiteContext,
  { meta, verdict, scope }: CrawlerReading,
  input: RankedInput,
  parts: number,
): Promise<TopPages> {
  const counts = await countPages(ctx, scope, input, parts)
  const pages = counts.filter(isPage).slice(0, input.limit)
  const [first] = pages
  const total = first === undefined ? pages.length : first.total_pages
  return {
    meta,
    limit: input.limit,
    returned_count: pages.length,
    total_count: publish(verdict, total),
    truncated: total > pages.length,
    pages: pages.map((row) => ({
      host: row.host,
      path: row.path,
      observed_request_count: row.requests,
      observed_share: row.requests / row.total_requests,
      observed_crawler_count: row.crawlers,
      observed_response_count: row.observed,
      path_fidelity: row.path_fidelity,
      path_class: row.path_class,
    })),
    hidden_by_purpose_filter: PURPOSES.flatMap((purpose, index) =>
      counts
        .filter((row) => row.hidden === index + 1)
        .map((row) => ({ purpose, observed_request_count: row.requests })),
    ),
  }
}

type PageCount = Row<ReturnType<typeof pageCounts>>
type NamedPageCount = { [Field in keyof PageCount]: NonNullable<PageCount[Field]> }

/** Whether a row is a page. Requests that the filter hides have no name. */
function isPage(row: PageCount): row is NamedPageCount {
  return row.hidden === 0 && row.host !== null
}

/** The rows of `pageCounts`; those of several parts are merged into what one statement would return. */
async function countPages(
  ctx: SiteContext,
  scope: CrawlerScope,
  { limit, path_class }: RankedInput,
  parts: number,
): Promise<PageCount[]> {
  if (isEmpty(scope) || scope.registry_version === null) return []
  const registry = await ctx.registries.open(scope.registry_version)
  const of_class = path_class === undefined ? {} : { path_class }
  const limits = { limit, crawlers: registry.entries.length, ...of_class }
  if (parts === 1) return (await countFromSums(ctx, scope, limits)) ?? ctx.evidence.all(pageCounts(scope, limits))
  let merged: PageCount[] = []
  for (let index = 0; index < parts; index++) {
    merged = mergeParts(
      merged,
      await ctx.evidence.all(pageCounts(scope, { ...limits, part: { index, of: parts } })),
      limit,
    )
  }
  return merged
}

/** The rows of `pageCounts` from cached sums of closed days and of the others; null if that is not possible. */
async function countFromSums(
  ctx: SiteContext,
  scope: CrawlerScope,
  { limit, crawlers, path_class }: TopPagesLimits,
): Promise<PageCount[] | null> {
  if (crawlers > MASK_BITS) return null
  const of_class = path_class === undefined ? {} : { path_class }
  const ranked = await rankFromSums(ctx, scope, limit, {
    name: `pages ${path_class ?? ''}`,
    read: async (of, evidence) =>
      decodePageSums(await evidence.all(pageSums(of, { max_pages: MAX_PAGES, ...of_class }))),
    bytesOf: sizeOf,
  })
  if (ranked === null) return null
  const { total_pages, total_requests } = ranked
  const hidden = [...ranked.hidden].map(([purpose, requests]) => ({ ...UNNAMED, hidden: purpose, requests }))
  const pages = ranked.pages.map((page) => ({ hidden: 0, ...page, total_pages, total_requests }))
  return [...hidden, ...pages.sort(comparePages)]
}

const UNNAMED = {
  host: null,
  path: null,
  path_fidelity: null,
  path_class: null,
  observed: 0,
  crawlers: 0,
  total_pages: 0,
  total_requests: 0,
}

/** Adds up the hidden requests and the totals of both parts, and keeps their first `limit` pages. */
function mergeParts(one: readonly PageCount[], other: readonly PageCount[], limit: number): PageCount[] {
  const both = [...one, ...other]
  const hidden = [
    ...Map.groupBy(
      both.filter((row) => !isPage(row)),
      (row) => row.hidden,
    ).values(),
  ].map((rows) => ({
    ...(rows[0] as PageCount),
    requests: rows.reduce((sum, row) => sum + row.requests, 0),
  }))
  // Each page has the totals of its statement.
  const totals = [one, other].flatMap((rows) => rows.filter(isPage).slice(0, 1))
  const total_pages = totals.reduce((sum, row) => sum + row.total_pages, 0)
  const total_requests = totals.reduce((sum, row) => sum + row.total_requests, 0)
  const pages = both.filter(isPage).sort(comparePages).slice(0, limit)
  return [...hidden, ...pages.map((row) => ({ ...row, total_pages, total_requests }))]
}

type RankedPage = Pick<NamedPageCount, 'requests' | 'host' | 'path'>

/** The order of pages in every answer: most requests first, then host and path by their bytes. */
export function comparePages(a: RankedPage, b: RankedPage): number {
  return b.requests - a.requests || compareBytes(a.host, b.host) || compareBytes(a.path, b.path)
}
