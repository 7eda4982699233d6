/** The builds of days: which ones answers read, and which are retired. */
import { MINUTE_MS } from '#clock.ts'
import { nextTimedNumber, readSetting } from '#control/settings.ts'
import type { ControlDb, ControlTransaction } from '#control/store.ts'
import type { BuildRow, DerivedKind, RetiredBuildRow } from '#control/tables.ts'
import type { DayRange } from '#days/windows.ts'

/** The number of a new build, by the shared clock: evidence may have builds that a restored control store does not. */
export const nextBuild = (tx: ControlTransaction, now: number): Promise<number> => nextTimedNumber(tx, LAST_BUILD, now)

/** The highest number of a build; 0 before the first. */
export async function readLastBuild(db: ControlDb): Promise<number> {
  const last = await readSetting(db, LAST_BUILD)
  return last === null ? 0 : Number(last)
}

const LAST_BUILD = 'next_build'

/** The builds that answers read on the days of a range, ascending. Call it in the snapshot that coverage is read in. */
export function findBuilds(db: ControlDb, kind: DerivedKind, site_id: string, range?: DayRange): Promise<BuildRow[]> {
  let builds = db.selectFrom('builds').selectAll().where('kind', '=', kind).where('site_id', '=', site_id)
  if (range !== undefined) builds = builds.where('day', '>=', range.from).where('day', '<=', range.to)
  return builds.orderBy('day').orderBy('part').execute()
}

/**
 * Retires builds of a day, all of a kind or of some parts. Their rows are deleted when no reader can still use them.
 */
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

/** Records retired rows, which are deleted some minutes later. */
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
 * A retired build that was not renewed for this long is never used, because its rows may be deleted. Any process
 * deletes them after twice this time (`MIN_RETIRED_MS`).
 */
export const MAX_UNRENEWED_MS = 5 * MINUTE_MS

/**
 * Ends the retirement of a build, so that answers may read it. Returns false if its process was suspended for so long
 * that others may have deleted its rows. Then it is retired again, so that rows which were inserted since are deleted.
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
  const retired = parts.map((part) => ({ site_id, day, kind, part, build, delivery_id: '', retired_at: now }))
  await tx
    .deleteFrom('retired_builds')
    .where((is) => is.and({ site_id, day, kind, build }))
    .execute()
  await retire(tx, retired)
  return false
}

/** Makes answers read the build, and retires the build that it replaces. Call it once the build is recalled. */
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
