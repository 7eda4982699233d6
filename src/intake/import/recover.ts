/** What an earlier process left behind when it died: unfinished deliveries stay partial, their days are rebuilt (rules 3). */
import type { CrawlerContext } from '#crawlers/context.ts'
import { sql } from '#evidence/sql.ts'

/** Runs once at start, before anything is served or imported; returns how many deliveries had broken off. */
export async function recoverDeliveries(ctx: CrawlerContext): Promise<number> {
  await ctx.evidence.run(sql`TRUNCATE TABLE spoor.import_rows`)
  return ctx.control.transaction(async (tx) => {
    const broken = await tx.selectFrom('deliveries').selectAll().where('state', '=', 'writing').execute()
    for (const delivery of broken) {
      await tx.updateTable('deliveries').set({ state: 'broken' }).where('id', '=', delivery.id).execute()
      await tx.updateTable('dirty_days').set({ state: 'written' }).where('delivery_id', '=', delivery.id).execute()
      await tx.updateTable('sources').set({ connection_status: 'error' }).where('id', '=', delivery.source_id).execute()
    }
    return broken.length
  })
}
