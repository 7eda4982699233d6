/** The second half of a deletion: facts of expired days go, then their roll-ups and pages without facts. */
import type { ControlTransaction } from '#control/store.ts'
import type { ExpiredDayRow } from '#control/tables.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { retireMonth } from '#crawlers/roll-ups/month-roll-ups.ts'
import { retireBuilds } from '#derived/builds.ts'
import { READERS_GONE_MS } from '#derived/delete-retired-builds.ts'
import { markDays } from '#derived/dirty-days.ts'
import { deletePagesWithoutFacts } from '#evidence/page-names.ts'
import { type Fragment, list, sql, uuid } from '#evidence/sql.ts'
import { RETENTION, spanOf } from './mark-expired-days.ts'

const DAYS_AT_ONCE = 1_000

/**
 * Deletes what expired long enough ago, within the turn of imports; or, for one source, all that has expired, because
 * new evidence of it is about to come in. A crash in between only repeats it.
 */
export async function deleteExpiredDays(ctx: CrawlerContext, only?: { source_id: string }): Promise<number> {
  const expired = ctx.control.db.selectFrom('expired_days').selectAll().orderBy('day')
  const due = await (only === undefined
    ? expired.where('expired_at', '<=', ctx.clock.shared() - READERS_GONE_MS)
    : expired.where('source_id', '=', only.source_id)
  ).execute()
  if (due.length === 0) return 0
  // A live source may be delivering.
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
  // A sender must not wait for an import to end: then pages are left to the next day of the site that expires.
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

/** A day that another source still covers is rebuilt from what is left; one that no source covers loses its roll-up. */
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
