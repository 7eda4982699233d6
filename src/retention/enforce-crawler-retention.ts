import type { CrawlerContext } from '#crawlers/context.ts'
import { deleteExpiredDays } from './delete-expired.ts'
import { findExpiredDays } from './find-expired.ts'
import { expireDays } from './mark-expired-days.ts'

/**
 * Enforces the retention of sites, by the service clock (rules 4): expired days become gaps, and minutes later their
 * facts are deleted. Returns the number of days that became gaps. Repeatable after a crash.
 */
export async function enforceRetention(ctx: CrawlerContext): Promise<number> {
  // Most runs find nothing, and must not wait for an import.
  if (!(await hasWork(ctx))) return 0
  return ctx.intake.duringImport(async () => {
    await deleteExpiredDays(ctx)
    const expired = await findExpiredDays(ctx)
    for (const days of expired) await expireDays(ctx, days)
    return expired.reduce((sum, { days }) => sum + days.length, 0)
  })
}

async function hasWork(ctx: CrawlerContext): Promise<boolean> {
  const pending = await ctx.control.db.selectFrom('expired_days').select('day').limit(1).executeTakeFirst()
  return pending !== undefined || (await findExpiredDays(ctx)).length > 0
}
