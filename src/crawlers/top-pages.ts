import type { TopPages, TopPagesInput } from '#contract/site-api/index.ts'
import type { SiteContext } from './context.ts'
import { openReading } from './coverage/meta.ts'
import { publish } from './coverage/observed.ts'
import { type CrawlerScope, isEmpty } from './scope.sql.ts'
import { pageCounts } from './top-pages.sql.ts'

/** The pages that crawlers asked for most; a page is a distinct host and path/v1 (spec 2.5 TopPages, rules 2). */
export async function readTopPages(ctx: SiteContext, input: TopPagesInput): Promise<TopPages> {
  const { meta, verdict, scope } = await openReading(ctx, input)
  const counts = await countPages(ctx, scope, input.limit)
  const [first] = counts
  const total = first === undefined ? counts.length : first.total_pages
  return {
    meta,
    limit: input.limit,
    returned_count: counts.length,
    total_count: publish(verdict, total),
    truncated: total > counts.length,
    pages: counts.map((row) => ({
      host: row.host,
      path: row.path,
      observed_request_count: row.requests,
      observed_share: row.requests / row.total_requests,
      observed_crawler_count: row.crawlers,
      observed_response_count: row.observed,
      path_fidelity: row.path_fidelity,
      path_class: row.path_class,
    })),
  }
}

async function countPages(ctx: SiteContext, scope: CrawlerScope, limit: number) {
  if (isEmpty(scope) || scope.registry_version === null) return []
  const registry = await ctx.registries.open(scope.registry_version)
  return ctx.evidence.all(pageCounts(scope, { limit, crawlers: registry.entries.length }))
}
