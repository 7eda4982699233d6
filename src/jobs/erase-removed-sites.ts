import type { CrawlerContext } from '#crawlers/context.ts'
import { type Fragment, sql, uuid } from '#evidence/sql.ts'
import { findSitesToErase, recordErased } from '#sites/erase-removed.ts'

/** Deletes the evidence of removed sites; a crash in between only repeats it (decisions 8). Returns how many were erased. */
export async function eraseRemovedSites(ctx: CrawlerContext): Promise<number> {
  const sites = await findSitesToErase(ctx)
  for (const siteId of sites) {
    for (const table of evidenceTables)
      await ctx.evidence.run(sql`DELETE FROM ${table} WHERE site_id = ${uuid(siteId)}`)
    await recordErased(ctx, siteId)
  }
  return sites.length
}

const evidenceTables: readonly Fragment[] = [
  sql`spoor.requests`,
  sql`spoor.crawler_daily`,
  sql`spoor.page_daily`,
  sql`spoor.events`,
  sql`spoor.sessions`,
  sql`spoor.tracker_daily`,
  sql`spoor.acquisition_daily`,
  sql`spoor.tracker_page_daily`,
  sql`spoor.journey_daily`,
  sql`spoor.definition_daily`,
  sql`spoor.pages`,
]
