/** Deletes retired rows when no reader can still use them. */
import { MINUTE_MS } from '#clock.ts'
import type { RetiredBuildRow } from '#control/tables.ts'
import type { Retirable } from './derivation.ts'
import type { DeriveContext } from './derive.ts'

/** How long rows are retired before they are deleted: longer than any statement that may still read them. */
export const MIN_RETIRED_MS = 10 * MINUTE_MS
const BUILDS_AT_ONCE = 1_000
const ROWS_AT_ONCE = 200

/**
 * Deletes rows that were retired long enough ago and are not being written. Returns the number of builds. Repeatable.
 */
export async function deleteRetired(ctx: DeriveContext, registered: readonly Retirable[]): Promise<number> {
  const byKind = new Map(registered.map((one) => [one.kind, one]))
  const found = await ctx.control.db
    .selectFrom('retired_builds')
    .leftJoin('deliveries', 'deliveries.id', 'retired_builds.delivery_id')
    .selectAll('retired_builds')
    .where('kind', 'in', [...byKind.keys()])
    .where('retired_at', '<', ctx.clock.shared() - MIN_RETIRED_MS)
    .where((row) => row.or([row('deliveries.state', 'is', null), row('deliveries.state', '!=', 'writing')]))
    .orderBy('retired_builds.site_id')
    .orderBy('kind')
    .orderBy('day')
    .orderBy('build')
    .execute()
  const retired = found.filter(({ build }) => !ctx.derived.building.has(build))
  for (const [kind, rows] of Map.groupBy(retired, (row) => row.kind)) {
    for (let at = 0; at < rows.length; at += BUILDS_AT_ONCE) {
      const some = rows.slice(at, at + BUILDS_AT_ONCE)
      await byKind.get(kind)?.deleteRows(some)
      await deleteRecords(ctx, some)
    }
  }
  return retired.length
}

async function deleteRecords({ control }: DeriveContext, rows: readonly RetiredBuildRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    await control.db
      .deleteFrom('retired_builds')
      .where(({ or, and, eb }) =>
        or(
          rows.slice(at, at + ROWS_AT_ONCE).map(({ site_id, day, kind, part, build, retired_at }) =>
            and([
              eb('site_id', '=', site_id),
              eb('day', '=', day),
              eb('kind', '=', kind),
              eb('part', '=', part),
              eb('build', '=', build),
              // A process that was suspended may have retired it again since, and inserted further rows.
              eb('retired_at', '=', retired_at),
            ]),
          ),
        ),
      )
      .execute()
  }
}
