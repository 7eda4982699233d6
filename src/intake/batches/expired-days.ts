import type { CrawlerContext } from '#crawlers/context.ts'
import { deleteExpiredDays } from '#retention/delete-expired.ts'
import type { ReadyBatch } from './ready-batch.ts'

/**
 * Deletes expired facts at once on days for which batches bring new ones: facts that arrive after a longer retention
 * was set must not be deleted with the earlier ones (rules 4).
 */
export async function deleteWaitingDays(ctx: CrawlerContext, batches: readonly ReadyBatch[]): Promise<void> {
  const days = new Map<string, Set<string>>()
  for (const { name, days: own } of batches) {
    days.set(name.source_id, new Set([...(days.get(name.source_id) ?? []), ...own]))
  }
  const waiting = await ctx.control.db
    .selectFrom('expired_days')
    .select(['source_id', 'day'])
    .where('source_id', 'in', [...days.keys()])
    .execute()
  const touched = waiting.filter(({ source_id, day }) => days.get(source_id)?.has(day))
  for (const source_id of new Set(touched.map((row) => row.source_id))) await deleteExpiredDays(ctx, { source_id })
}
