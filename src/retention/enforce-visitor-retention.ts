/**
 * Evidence of visitors that has outlived the retention of its site (rules 4). The days are forgotten in the control
 * store, so that no answer claims them; their facts go minutes later with the retired builds, when no reader can still
 * use them.
 */
import { DAY_MS } from '#clock.ts'
import type { ControlDb, ControlTransaction } from '#control/store.ts'
import { utcDay } from '#days/utc-day.ts'
import { findBuilds } from '#derived/builds.ts'
import { findMarks } from '#derived/dirty-days.ts'
import type { TrackerContext } from '#tracker/context.ts'
import { findFirstBrowserDay } from '#tracker/coverage/first-browser-day.ts'
import { retireVisitorDay } from '#tracker/sessions/visitor-facts.ts'

/** Forgets the days that are too old; returns how many. Repeating it, also after a crash, does what is left. */
export async function endTrackerRetention(ctx: Pick<TrackerContext, 'clock' | 'control'>): Promise<number> {
  const now = ctx.clock.now()
  const retired_at = ctx.clock.shared()
  const sites = await ctx.control.db
    .selectFrom('trackers')
    .innerJoin('sites', 'sites.id', 'trackers.site_id')
    .select(['sites.id', 'sites.retention_days'])
    .orderBy('sites.id')
    .execute()
  if (sites.length === 0) return 0
  // No site keeps less than this.
  const shortest = Math.min(...sites.map(({ retention_days }) => retention_days))
  const old = await findSitesWithDaysBefore(ctx.control.db, utcDay(now - shortest * DAY_MS))
  let ended = 0
  for (const { id: site_id, retention_days } of sites) {
    if (!old.has(site_id)) continue
    const days = await findDaysBefore(ctx.control.db, site_id, utcDay(now - retention_days * DAY_MS))
    for (const day of days) await ctx.control.transaction((tx) => forgetDay(tx, { site_id, day, retired_at }))
    ended += days.length
  }
  return ended
}

/** Where the control store remembers days of visitors. */
const REMEMBERED = ['collection_counts', 'development_counts', 'refused_evidence', 'snippet_proofs'] as const

/** Sites that may have days to forget: most have none, and are not looked at one by one every minute. */
async function findSitesWithDaysBefore(db: ControlDb, day: string): Promise<Set<string>> {
  const found = new Set<string>()
  const derived = (['dirty_days', 'builds'] as const).map((table) =>
    db.selectFrom(table).select('site_id').distinct().where('kind', '=', 'sessions').where('day', '<', day).execute(),
  )
  const remembered = REMEMBERED.map((table) =>
    db.selectFrom(table).select('site_id').distinct().where('day', '<', day).execute(),
  )
  for (const rows of await Promise.all([...derived, ...remembered])) for (const { site_id } of rows) found.add(site_id)
  return found
}

async function findDaysBefore(db: ControlDb, site_id: string, first_kept: string): Promise<string[]> {
  const derived = [...(await findMarks(db, 'sessions', site_id)), ...(await findBuilds(db, 'sessions', site_id))]
  const found = new Set(derived.map(({ day }) => day).filter((day) => day < first_kept))
  for (const table of REMEMBERED) {
    const rows = await db
      .selectFrom(table)
      .select('day')
      .distinct()
      .where('site_id', '=', site_id)
      .where('day', '<', first_kept)
      .execute()
    for (const { day } of rows) found.add(day)
  }
  return [...found].sort()
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
  { site_id, day, retired_at }: { site_id: string; day: string; retired_at: number },
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
