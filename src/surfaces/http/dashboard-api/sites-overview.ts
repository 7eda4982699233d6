import type { SessionCaller } from '#accounts/caller.ts'
import { instantText } from '#clock.ts'
import type { SitesOverview, SitesOverviewInput } from '#contract/dashboard-api/index.ts'
import { readDayBars } from '#crawlers/day-bars.ts'
import { countOpenIssues } from '#issues/list-issues.ts'
import { readSites } from '#sites/list-sites.ts'
import type { Site } from '#sites/site.ts'
import type { SiteApiServices } from '../site-api.ts'

const WINDOW = '30d'
/** So many sites are read at a time. */
const AT_ONCE = 4

/** Sites by domain, each with its last 30 days (decisions 7.4). */
export async function readSitesOverview(
  ctx: SiteApiServices,
  caller: SessionCaller,
  { purpose, limit, offset, q = '' }: SitesOverviewInput,
): Promise<SitesOverview> {
  const { sites: visible } = await readSites(ctx, caller)
  const sites = visible.filter(({ root_domain }) => root_domain.includes(q.toLowerCase()))
  const listed = sites.slice(offset, offset + limit)
  const open_issues = await countOpenIssues(
    ctx.control.db,
    listed.map(({ id }) => id),
  )
  const described: SitesOverview['sites'] = []
  for (let at = 0; at < listed.length; at += AT_ONCE) {
    const read = listed.slice(at, at + AT_ONCE).map(async ({ id, root_domain, role }) => {
      const site: Site = { id, root_domain, role, account_id: caller.account_id }
      const { meta, total, days } = await readDayBars({ ...ctx, site }, { window: WINDOW, purpose })
      return {
        id,
        root_domain,
        role,
        days,
        observed_request_count: total,
        open_issue_count: open_issues.of(id),
        coverage_state: meta.coverage_state,
        data_through: meta.data_through,
        sources: meta.sources.map((source) => ({
          id: source.id,
          source_type: source.source_type,
          connection_status: source.connection_status,
          data_through: source.data_through,
        })),
      }
    })
    described.push(...(await Promise.all(read)))
  }
  return {
    as_of: instantText(ctx.clock.now()),
    limit,
    offset,
    returned_count: described.length,
    total_count: sites.length,
    truncated: sites.length > offset + described.length,
    sites: described,
  }
}
