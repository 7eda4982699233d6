/**
 * Enforces the retention of visitors' evidence (rules 4). Expired days are deleted in the control store, so that no
 * answer claims them; their facts are deleted minutes later with retired builds, when no reader can still use them.
 */
import { DAY_MS } from '#clock.ts'
import type { ControlDb, ControlTransaction } from '#control/store.ts'
import { utcDay } from '#days/utc-day.ts'
import type { TrackerContext } from '#tracker/context.ts'
import { findFirstBrowserDay } from '#tracker/coverage/first-browser-day.ts'
import { retireVisitorDay } from '#tracker/sessions/visitor-facts.ts'

/** Deletes expired days in the control store; returns their number. Repeatable after a crash. */
export async function enforceVisitorRetention(ctx: Pick<TrackerContext, 'clock' | 'control'>): Promise<number> {
  const now = ctx.clock.now()
  const retired_at = ctx.clock.shared()
  // By retention instead of by site, because most sites have the same one, and no expired day.
  const retentions = await ctx.control.db
    .selectFrom('trackers')
    .innerJoin('sites', 'sites.id', 'trackers.site_id')
    .select('sites.retention_days')
    .distinct()
    .orderBy('sites.retention_days')
    .execute()
  let ended = 0
  for (const { retention_days } of retentions) {
    const first_kept = utcDay(now - retention_days * DAY_MS)
    const days = await findDaysBefore(ctx.control.db, retention_days, first_kept)
    for (const of of days) await ctx.control.transaction((tx) => forgetDay(tx, { ...of, retired_at }))
    ended += days.length
  }
  return ended
}

/** The tables of the control store with days of visitors. */
const REMEMBERED = ['collection_counts', 'development_counts', 'refused_evidence', 'snippet_proofs'] as const

interface SiteDay {
  site_id: string
  day: string
}

/** Days before `first_kept` of all sites with this retention, each once, by site and day. */
async function findDaysBefore(db: ControlDb, retention_days: number, first_kept: string): Promise<SiteDay[]> {
  const sites = db
    .selectFrom('trackers')
    .innerJoin('sites', 'sites.id', 'trackers.site_id')
    .where('sites.retention_days', '=', retention_days)
    .select('sites.id')
  const daysOf = (table: 'dirty_days' | 'builds' | (typeof REMEMBERED)[number]) =>
    db
      .selectFrom(table)
      .select(['site_id', 'day'])
      .distinct()
      .where('day', '<', first_kept)
      .where('site_id', 'in', sites)
  const found = await Promise.all([
    ...(['dirty_days', 'builds'] as const).map((table) => daysOf(table).where('kind', '=', 'sessions').execute()),
    ...REMEMBERED.map((table) => daysOf(table).execute()),
  ])
  const days = new Map(found.flat().map((of) => [`${of.site_id} ${of.day}`, of]))
  return [...days].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, of]) => of)
}

/** Stores the first day of browsers before its proof is deleted. */
async function keepFirstBrowserDay(tx: ControlTransaction, site_id: string): Promise<void> {
  await tx
    .updateTable('trackers')
    .set({ browsers_from: await findFirstBrowserDay(tx, site_id) })
    .where('site_id', '=', site_id)
    .where('browsers_from', 'is', null)
    .execute()
}

async function forgetDay(
  tx: ControlTransaction,
  { site_id, day, retired_at }: SiteDay & { retired_at: number },
): Promise<void> {
  await keepFirstBrowserDay(tx, site_id)
  await retireVisitorDay(tx, { site_id, day, retired_at })
  await tx
    .deleteFrom('dirty_days')
    .where((is) => is.and({ site_id, day, kind: 'sessions' }))
    .execute()
  for (const table of REMEMBERED) {
    await tx.deleteFrom(table).where('site_id', '=', site_id).where('day', '=', day).execute()
  }
}
