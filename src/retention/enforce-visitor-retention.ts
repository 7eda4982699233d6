/**
 * Evidence of visitors that has outlived the retention of its site (rules 4). The days are forgotten in the control
 * store, so that no answer claims them; their facts go minutes later with the retired builds, when no reader can still
 * use them.
 */
import { DAY_MS } from '#clock.ts'
import type { ControlDb, ControlTransaction } from '#control/store.ts'
import { utcDay } from '#days/utc-day.ts'
import type { TrackerContext } from '#tracker/context.ts'
import { findFirstBrowserDay } from '#tracker/coverage/first-browser-day.ts'
import { retireVisitorDay } from '#tracker/sessions/visitor-facts.ts'

/** Forgets the days that are too old; returns how many. Repeating it, also after a crash, does what is left. */
export async function endTrackerRetention(ctx: Pick<TrackerContext, 'clock' | 'control'>): Promise<number> {
  const now = ctx.clock.now()
  const retired_at = ctx.clock.shared()
  // Most sites have the same retention, and no day to forget: they are not looked at one by one every minute.
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

/** Where the control store remembers days of visitors. */
const REMEMBERED = ['collection_counts', 'development_counts', 'refused_evidence', 'snippet_proofs'] as const

interface SiteDay {
  site_id: string
  day: string
}

/** Days before one of all sites with this retention, each once, by site and day. */
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

/** What proves from when browsers are covered may go now, and the day must not move with it. */
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
