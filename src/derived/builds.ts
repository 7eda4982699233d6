/** Which build of a day counts, and which no longer does. */
import { MINUTE_MS } from '#clock.ts'
import { nextTimedNumber, readSetting } from '#control/settings.ts'
import type { ControlDb, ControlTransaction } from '#control/store.ts'
import type { BuildRow, DerivedKind, RetiredBuildRow } from '#control/tables.ts'
import type { DayRange } from '#days/windows.ts'

/** Numbers a new build, by the shared clock: evidence may hold rows of builds that a restored control store forgot. */
export const nextBuild = (tx: ControlTransaction, now: number): Promise<number> => nextTimedNumber(tx, LAST_BUILD, now)

/** The highest number that a build was given; 0 before the first. */
export async function readLastBuild(db: ControlDb): Promise<number> {
  const last = await readSetting(db, LAST_BUILD)
  return last === null ? 0 : Number(last)
}

const LAST_BUILD = 'next_build'

/** Builds that count on days of a range, ascending. Call it in the snapshot in which coverage is read. */
export function findBuilds(db: ControlDb, kind: DerivedKind, site_id: string, range?: DayRange): Promise<BuildRow[]> {
  let builds = db.selectFrom('builds').selectAll().where('kind', '=', kind).where('site_id', '=', site_id)
  if (range !== undefined) builds = builds.where('day', '>=', range.from).where('day', '<=', range.to)
  return builds.orderBy('day').orderBy('part').execute()
}

/** Deletes pointers to builds of a day, all of a kind or of some parts; rows go when no reader can still use them. */
export async function retireBuilds(
  tx: ControlTransaction,
  { kind, site_id, day, retired_at }: { kind: DerivedKind; site_id: string; day: string; retired_at: number },
  parts?: readonly string[],
): Promise<void> {
  const all = tx
    .deleteFrom('builds')
    .where((is) => is.and({ site_id, day, kind }))
    .returning(['part', 'build'])
  const old = await (parts === undefined ? all : all.where('part', 'in', parts)).execute()
  await retire(
    tx,
    old.map((row) => ({ site_id, day, kind, ...row, delivery_id: '', retired_at })),
  )
}

const ROWS_AT_ONCE = 500

/** Notes rows that do not count, and are deleted some minutes later. */
export async function retire(tx: ControlTransaction, rows: readonly RetiredBuildRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    await tx
      .insertInto('retired_builds')
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/**
 * A retired build that was not renewed for so long never counts: its rows may be gone. They are deleted after twice
 * that (`READERS_GONE_MS`), by any process.
 */
export const MAX_UNRENEWED_MS = 5 * MINUTE_MS

/**
 * The build is retired no more, and may count from here on. False when its process stood still for so long that others
 * may have deleted its rows: then it is retired anew, so that the rows that came since are deleted, too.
 */
export async function recallBuild(
  tx: ControlTransaction,
  { kind, site_id, day, build }: Omit<BuildRow, 'part'>,
  parts: readonly string[],
  now: number,
): Promise<boolean> {
  if (parts.length === 0) return true
  const { numDeletedRows } = await tx
    .deleteFrom('retired_builds')
    .where((is) => is.and({ site_id, day, kind, build }))
    .where('retired_at', '>=', now - MAX_UNRENEWED_MS)
    .executeTakeFirst()
  if (Number(numDeletedRows) >= parts.length) return true
  const born = parts.map((part) => ({ site_id, day, kind, part, build, delivery_id: '', retired_at: now }))
  await tx
    .deleteFrom('retired_builds')
    .where((is) => is.and({ site_id, day, kind, build }))
    .execute()
  await retire(tx, born)
  return false
}

/** The build counts from here on, and what it replaces is retired. Call it once the build is recalled. */
export async function switchBuild(
  tx: ControlTransaction,
  { kind, site_id, day, build }: Omit<BuildRow, 'part'>,
  parts: readonly string[],
  retired_at: number,
): Promise<void> {
  if (parts.length === 0) return
  await retireBuilds(tx, { kind, site_id, day, retired_at }, parts)
  await tx
    .insertInto('builds')
    .values(parts.map((part) => ({ site_id, day, kind, part, build })))
    .execute()
}
