/** Which build of a day counts, and which no longer does. */
import type { ControlDb, ControlTransaction } from '#control/store.ts'
import type { BuildRow, DerivedKind, RetiredBuildRow } from '#control/tables.ts'
import type { DayRange } from '#days/windows.ts'

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

/** The build counts from here on, and what it replaces is retired. */
export async function switchBuild(
  tx: ControlTransaction,
  { kind, site_id, day, build }: Omit<BuildRow, 'part'>,
  parts: readonly string[],
  retired_at: number,
): Promise<void> {
  if (parts.length === 0) return
  await retireBuilds(tx, { kind, site_id, day, retired_at }, parts)
  await tx
    .deleteFrom('retired_builds')
    .where((is) => is.and({ site_id, day, kind, build }))
    .execute()
  await tx
    .insertInto('builds')
    .values(parts.map((part) => ({ site_id, day, kind, part, build })))
    .execute()
}
