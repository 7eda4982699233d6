/** What a delivery leaves behind that broke off: it stays partial, and its days are rebuilt (rules 3). */
import { DAY_MS } from '#clock.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { sql } from '#evidence/sql.ts'
import { eraseAgainSince } from '#sites/erase-removed.ts'

/** An import that was writing for a site when that was removed began at most this long before. */
const LONGEST_IMPORT_MS = 2 * DAY_MS

/** Runs once at start, before anything is served or imported; returns how many deliveries an earlier process left unfinished. */
export async function recoverDeliveries(ctx: CrawlerContext): Promise<number> {
  await ctx.evidence.run(sql`TRUNCATE TABLE spoor.import_rows`)
  return ctx.control.transaction(async (tx) => {
    const broken = await tx.selectFrom('deliveries').selectAll().where('state', '=', 'writing').execute()
    for (const delivery of broken) await breakOffDelivery(tx, delivery)
    await eraseAgainSince(tx, ctx.clock.now() - LONGEST_IMPORT_MS)
    return broken.length
  })
}

/** Marks a delivery that will not end: its coverage stays unfinished, its source shows it until an import succeeds. */
export async function breakOffDelivery(
  tx: ControlTransaction,
  { id, source_id }: { id: string; source_id: string },
): Promise<void> {
  await tx.updateTable('deliveries').set({ state: 'broken' }).where('id', '=', id).execute()
  await tx.updateTable('dirty_days').set({ state: 'written' }).where('delivery_id', '=', id).execute()
  await tx.updateTable('sources').set({ connection_status: 'error' }).where('id', '=', source_id).execute()
}
