/** Crawler evidence of own URLs that answers cite, from the site of the brand (account API 2.3). */
import type { Caller } from '#accounts/caller.ts'
import type { UrlReport } from '#contract/account-api/index.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { readPageEvidence } from '#crawlers/page-evidence.ts'
import type { DayRange } from '#days/windows.ts'
import { Refusal } from '#refusal.ts'
import { findAnySite, findVisibleSite } from '#sites/find-site.ts'
import { belongsTo } from '#sites/root-domain.ts'
import type { Site } from '#sites/site.ts'
import type { FoundBrand } from '../find-brand.ts'
import { issuesOf, pagesOf, readOpenIssues } from './issues-of-pages.ts'

type CrawlerEvidence = NonNullable<Extract<UrlReport['rows'][number], { url: string }>['crawler']>

/**
 * The evidence of each URL that lies on the brand's site, by URL; empty when the caller may not see that site.
 * @param days not after today.
 */
export async function readCrawlerEvidence(
  ctx: CrawlerContext & { brand: FoundBrand; caller: Caller },
  days: DayRange,
  urls: readonly string[],
): Promise<Map<string, CrawlerEvidence>> {
  const site = await siteOf(ctx)
  if (site === null) return new Map()
  const on_site = urls.filter((url) => belongsTo(new URL(url).hostname, site.root_domain))
  if (on_site.length === 0) return new Map()
  const groups = on_site.map(pagesOf)
  const read = await readPageEvidence({ ...ctx, site }, days, groups)
  const issues = await readOpenIssues(ctx.control.db, site.id)
  return new Map(
    on_site.map((url, at) => {
      const pages = groups[at] ?? []
      const open = issuesOf(issues, pages)
      const evidence = (pages.every(({ is_exact }) => is_exact) ? read[at] : undefined) ?? UNKNOWN
      return [url, { ...evidence, open_issue_ids: open.map(({ id }) => id) }]
    }),
  )
}

const UNKNOWN = { coverage_state: 'unknown', observed_request_count: null, last_observed_at: null } as const

/** The site of the brand; null if it has none, or the caller may not see it. */
async function siteOf({
  control,
  brand,
  caller,
}: Pick<CrawlerContext, 'control'> & { brand: FoundBrand; caller: Caller }): Promise<Site | null> {
  if (brand.site_id === null) return null
  if (caller.kind === 'operator') return findAnySite({ control }, brand.site_id)
  return findVisibleSite({ control }, caller, brand.site_id).catch((error: unknown) => {
    if (error instanceof Refusal && error.kind === 'site_not_found') return null
    throw error
  })
}
