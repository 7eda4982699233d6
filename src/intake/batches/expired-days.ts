import type { CrawlerContext } from '#crawlers/context.ts'
import { deleteExpiredDays } from '#retention/delete-expired.ts'
import type { ReadyBatch } from './ready-batch.ts'

/**
 * Deletes now what waits for its deletion on days that batches bring something new of: facts that come after a longer
 * retention was set must not go with the ones before (rules 4).
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
