import type { CrawlerContext } from '#crawlers/context.ts'
import { sql, uuid } from '#evidence/sql.ts'
import { beginErasing, findSitesToErase, recordErased } from '#sites/erase-removed.ts'
import { EVIDENCE_TABLES, purgeSoon } from './purge-deleted.ts'

/**
 * Deletes the evidence of removed sites, and requests the purge of its bytes; repeatable (decisions 8). Returns their
 * number.
 */
export async function eraseRemovedSites(ctx: CrawlerContext): Promise<number> {
  const sites = await findSitesToErase(ctx)
  for (const siteId of sites) {
    await beginErasing(ctx, siteId)
    for (const table of EVIDENCE_TABLES.values())
      await ctx.evidence.run(sql`DELETE FROM ${table} WHERE site_id = ${uuid(siteId)}`)
    await purgeSoon(ctx)
    await recordErased(ctx, siteId)
  }
  return sites.length
}
