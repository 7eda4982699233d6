import type { TopPages, TopPagesInput } from '#contract/site-api/index.ts'
import { PURPOSES } from '#contract/vocabulary.ts'
import type { Row } from '#evidence/sql.ts'
import type { SiteContext } from './context.ts'
import type { CrawlerReading } from './coverage/meta.ts'
import { publish } from './coverage/observed.ts'
import { withReading } from './coverage/with-reading.ts'
import { type CrawlerScope, isEmpty } from './scope.sql.ts'
import { pageCounts } from './top-pages.sql.ts'

/** The pages that crawlers asked for most; a page is a distinct host and path/v1 (spec 2.5 TopPages, rules 2). */
export async function readTopPages(ctx: SiteContext, input: TopPagesInput): Promise<TopPages> {
  return withReading(ctx, input, (reading) => rankPages(ctx, reading, input))
}

async function rankPages(
  ctx: SiteContext,
  { meta, verdict, scope }: CrawlerReading,
  input: TopPagesInput,
): Promise<TopPages> {
  const counts = await countPages(ctx, scope, input.limit)
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

/** A page has its names; what the filter hides has none. */
function isPage(row: PageCount): row is { [Field in keyof PageCount]: NonNullable<PageCount[Field]> } {
  return row.hidden === 0 && row.host !== null
}

async function countPages(ctx: SiteContext, scope: CrawlerScope, limit: number) {
  if (isEmpty(scope) || scope.registry_version === null) return []
  const registry = await ctx.registries.open(scope.registry_version)
  return ctx.evidence.all(pageCounts(scope, { limit, crawlers: registry.entries.length }))
}
