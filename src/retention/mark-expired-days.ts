import { DAY_MS } from '#clock.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { removeCoveredDays } from '#crawlers/coverage/record-coverage.ts'
import { dayStart } from '#days/utc-day.ts'
import { markDays } from '#derived/dirty-days.ts'
import { recordExpiredCoverage } from './expired-coverage.ts'
import type { ExpiredDays } from './find-expired.ts'

/** The cause of dirty days in retention. */
export const RETENTION = 'retention'

/**
 * The first step of a deletion, in one transaction: the days become gaps and dirty, so that no answer claims them.
 * Their facts are deleted later (`deleteExpiredDays`), when no reader can still use them (rules 3).
 */
export async function expireDays(ctx: CrawlerContext, { source, days }: ExpiredDays): Promise<void> {
  const { id: source_id, site_id } = source
  await ctx.control.transaction(async (tx) => {
    const expired_at = ctx.clock.shared()
    if (source.source_type === 'https_intake') await recordExpiredCoverage(tx, source_id, days)
    await removeCoveredDays(tx, source_id, new Set(days))
    const mark = { kind: 'crawlers', cause: RETENTION, state: 'writing', now: expired_at } as const
    await markDays(
      tx,
      mark,
      days.map((day) => ({ site_id, day })),
    )
    for (const day of days) {
      await tx
        .insertInto('expired_days')
        .values({ site_id, source_id, day, expired_at })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      // An expired hour no longer counts, and its zone does not read it again.
      const { from, to } = spanOf(day)
      await tx
        .deleteFrom('hour_readings')
        .where('source_id', '=', source_id)
        .where('hour', '>=', from)
        .where('hour', '<', to)
        .execute()
      for (const table of ['day_receipts', 'sender_records'] as const)
        await tx.deleteFrom(table).where('source_id', '=', source_id).where('day', '=', day).execute()
    }
  })
}

/** The instants of a day, for comparing with intervals. */
export const spanOf = (day: string) => ({ from: dayStart(day), to: dayStart(day) + DAY_MS })
