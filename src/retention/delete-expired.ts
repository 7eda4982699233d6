/** The second step of a deletion: deletes facts of expired days, then their roll-ups and pages without facts. */
import type { ControlTransaction } from '#control/store.ts'
import type { ExpiredDayRow } from '#control/tables.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { retireMonth } from '#crawlers/roll-ups/month-roll-ups.ts'
import { retireBuilds } from '#derived/builds.ts'
import { MIN_RETIRED_MS } from '#derived/delete-retired-builds.ts'
import { markDays } from '#derived/dirty-days.ts'
import { deletePagesWithoutFacts } from '#evidence/page-names.ts'
import { type Fragment, list, sql, uuid } from '#evidence/sql.ts'
import { RETENTION, spanOf } from './mark-expired-days.ts'

const DAYS_AT_ONCE = 1_000

/**
 * Deletes days that expired long enough ago, under the import lock; or all expired days of one source, before new
 * evidence of it is stored. After a crash it is repeated.
 */
export async function deleteExpiredDays(ctx: CrawlerContext, only?: { source_id: string }): Promise<number> {
  const expired = ctx.control.db.selectFrom('expired_days').selectAll().orderBy('day')
  const due = await (only === undefined
    ? expired.where('expired_at', '<=', ctx.clock.shared() - MIN_RETIRED_MS)
    : expired.where('source_id', '=', only.source_id)
  ).execute()
  if (due.length === 0) return 0
  // With the write lock, because a live source may be delivering.
  await ctx.evidence.writeLock.run(async () => {
    for (const rows of Map.groupBy(due, (row) => row.source_id).values()) {
      for (let at = 0; at < rows.length; at += DAYS_AT_ONCE) await deleteFacts(ctx, rows.slice(at, at + DAYS_AT_ONCE))
    }
  })
  const site_ids = new Set(due.map((row) => row.site_id))
  const deletePages = () =>
    ctx.evidence.writeLock.run(async () => {
      for (const site_id of site_ids) await deletePagesWithoutFacts(ctx.evidence, site_id)
    })
  // A sender must not wait for an import: during one, pages are left until the next day of the site expires.
  await (only === undefined ? deletePages() : ctx.intake.unlessImporting(deletePages))
  return due.length
}

async function deleteFacts(ctx: CrawlerContext, expired: readonly ExpiredDayRow[]): Promise<void> {
  const [first] = expired
  if (first === undefined) return
  const { site_id, source_id } = first
  const days = expired.map((row) => row.day)
  await ctx.evidence.run(deleteFactsOf(site_id, source_id, days))
  await ctx.control.transaction(async (tx) => {
    const intervals = await tx.selectFrom('coverage_intervals').selectAll().where('site_id', '=', site_id).execute()
    for (const day of days) {
      await tx.deleteFrom('expired_days').where('source_id', '=', source_id).where('day', '=', day).execute()
      const span = spanOf(day)
      const is_covered = intervals.some((row) => row.from_at < span.to && row.to_at > span.from)
      await releaseDay(tx, { site_id, day }, is_covered, ctx.clock.shared())
    }
  })
}

/**
 * Releases a day, which is derived again from the remaining facts if a source still covers it; else retires its
 * roll-up.
 */
async function releaseDay(
  tx: ControlTransaction,
  { site_id, day }: { site_id: string; day: string },
  is_covered: boolean,
  retired_at: number,
): Promise<void> {
  const pending = await tx
    .selectFrom('expired_days')
    .select('day')
    .where((is) => is.and({ site_id, day }))
    .executeTakeFirst()
  if (pending !== undefined) return
  const mark = { kind: 'crawlers', cause: RETENTION, state: 'written', now: retired_at } as const
  if (is_covered) return await markDays(tx, mark, [{ site_id, day }])
  await retireBuilds(tx, { kind: 'crawlers', site_id, day, retired_at })
  await retireMonth(tx, { site_id, day }, retired_at)
  await tx
    .deleteFrom('dirty_days')
    .where((is) => is.and({ site_id, day, kind: 'crawlers', cause: RETENTION }))
    .execute()
}

const deleteFactsOf = (site_id: string, source_id: string, days: readonly string[]): Fragment => sql`
  DELETE FROM spoor.requests
  WHERE site_id = ${uuid(site_id)} AND source_id = ${uuid(source_id)} AND day IN ${list('Date', days)}`
