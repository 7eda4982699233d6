import { type Fragment, sql, tuples, uuid } from '#evidence/sql.ts'

/** Deletes what definitions counted on days, by builds that no longer count. */
export const deleteDefinitionBuilds = (
  site_id: string,
  builds: readonly { part: string; day: string; build: number }[],
): Fragment => sql`
  DELETE FROM spoor.definition_daily
  WHERE site_id = ${uuid(site_id)} AND (definition_id, day, build) IN ${tuples(
    'Tuple(UUID, Date, UInt64)',
    builds.map((row) => [row.part, row.day, String(row.build)]),
  )}`
