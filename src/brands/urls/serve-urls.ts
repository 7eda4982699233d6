/** The URL report as surface B serves it (account API 2.3). */
import type { Caller } from '#accounts/caller.ts'
import { instantText } from '#clock.ts'
import type { UrlReport, UrlReportInput } from '#contract/account-api/index.ts'
import { CITATION_SOURCES, SEARCH_SOURCES } from '#contract/vocabulary.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { withoutRemoved } from '../answers/removed-questions.ts'
import { readRivalDomains } from '../competitors.ts'
import type { FoundBrand } from '../find-brand.ts'
import { listEnvelope } from '../list-envelope.ts'
import { type RatioValue, ratioOf } from '../reports/ratio.ts'
import { refuseMuchData } from '../reports/refuse-much-data.ts'
import { reportFilter } from '../reports/report-filter.ts'
import { readSearchData } from '../search-data/read-search-data.ts'
import { type CitedPlace, readCitedPlaces } from './cited-places.ts'
import { readCrawlerEvidence } from './crawler-evidence.ts'

interface UrlsOfBrand extends CrawlerContext {
  brand: FoundBrand
  caller: Caller
}

type Report = Pick<UrlReport, 'rows' | 'total_count'> &
  Pick<UrlReport['meta'], 'opaque_citations' | 'search_data' | 'limitations'>

export async function serveUrlReport(ctx: UrlsOfBrand, input: UrlReportInput): Promise<UrlReport> {
  const { limit, offset, dimension, ignored_parameters } = input
  const as_of = instantText(ctx.clock.now())
  const report =
    dimension === 'url' || dimension === 'domain'
      ? await readCited(ctx, input, dimension)
      : await readSearched(ctx, input, dimension)
  const { rows, total_count, ...meta } = report
  return {
    meta: {
      as_of,
      filters: filtersInForce(input),
      ignored_parameters: [...ignored_parameters, ...withoutEffect(input)],
      ...meta,
    },
    dimension,
    rows,
    ...listEnvelope({ limit, offset, returned_count: rows.length, total_count }),
  }
}

async function readCited(ctx: UrlsOfBrand, input: UrlReportInput, dimension: 'url' | 'domain'): Promise<Report> {
  const { filter: answers, asked } = await withoutRemoved(ctx, await reportFilter(ctx, input))
  refuseMuchData(asked.reduce((sum, row) => sum + row.answers, 0))
  const source = CITATION_SOURCES.find((one) => one === input.source) ?? null
  const filter = { answers, dimension, source, rivals: await readRivalDomains(ctx.control.db, ctx.brand.id) }
  const { rows, total_count, opaque_citations } = await readCitedPlaces(ctx.evidence, filter, input)
  // All rows divide by the same answers.
  const rests_on_one = rows.some((row) => row.citation_rate.clusters === 1 || row.citation_share.clusters === 1)
  const limitations = rests_on_one ? ['one_question' as const] : []
  const meta = { total_count, opaque_citations, search_data: null, limitations }
  if (dimension === 'domain')
    return { rows: rows.map(({ shown, ...row }) => ({ domain: shown, ...row, crawler: null })), ...meta }
  const own = rows.filter((row) => row.source === 'own').map(({ shown }) => shown)
  const crawlers = await readCrawlerEvidence(ctx, { from: input.from, to: input.to }, own)
  return { rows: rows.map((row) => describeUrl(row, crawlers)), ...meta }
}

function describeUrl(
  { shown, ...row }: CitedPlace,
  crawlers: Awaited<ReturnType<typeof readCrawlerEvidence>>,
): Extract<UrlReport['rows'][number], { url: string }> {
  return { url: shown, ...row, crawler: crawlers.get(shown) ?? null }
}

/** Own pages in search, or the queries that show one of them. */
async function readSearched(ctx: UrlsOfBrand, input: UrlReportInput, dimension: 'page' | 'query'): Promise<Report> {
  const { from, to, limit, offset } = input
  const source = SEARCH_SOURCES.find((one) => one === input.source) ?? 'google'
  const page = dimension === 'query' ? input.page : null
  if (page === undefined) throw new Error('queries are asked for with their page')
  const stores = { db: ctx.control.db, evidence: ctx.evidence }
  const found = await readSearchData(stores, ctx.brand, { source, page, from, to, limit, offset })
  const meta = { search_data: found.meta, limitations: ['source_days' as const], opaque_citations: null }
  const rows = found.rows.map(({ name, ai, clicks, impressions, average_position, days }) => ({
    row: { clicks, impressions, click_through: clickThrough(clicks, impressions), average_position, days },
    name,
    ai,
  }))
  return {
    total_count: found.total_count,
    ...meta,
    rows:
      page === null
        ? rows.map(({ name, row, ai }) => ({ page: name, ...row, ai }))
        : rows.map(({ name, row }) => ({ query: name, ...row })),
  }
}

/** The share is null if a source reports more clicks than impressions. */
function clickThrough(clicks: number, impressions: number): RatioValue {
  const ratio = ratioOf([{ numerator: clicks, denominator: impressions }])
  return clicks > impressions ? { ...ratio, value: null, low: null, high: null } : ratio
}

/** Parameters without effect: search data has no engine, country or question, and only queries belong to one page. */
const WITHOUT_EFFECT = {
  url: ['page'],
  domain: ['page'],
  page: ['engines', 'country', 'question_id', 'page'],
  query: ['engines', 'country', 'question_id'],
} as const satisfies Record<UrlReportInput['dimension'], readonly (keyof UrlReportInput)[]>

/** Parameters of the request that do not apply to rows of this dimension. */
const withoutEffect = (input: UrlReportInput): string[] =>
  WITHOUT_EFFECT[input.dimension].filter((name) => input[name] !== undefined)

function filtersInForce(input: UrlReportInput): UrlReport['meta']['filters'] {
  const { from, to, dimension, source = null } = input
  const in_force: Partial<UrlReportInput> = { ...input }
  for (const name of WITHOUT_EFFECT[dimension]) delete in_force[name]
  const { engines = null, country = null, question_id = null, page = null } = in_force
  return { from, to, engines, country, question_id, dimension, source, page }
}
