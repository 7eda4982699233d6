import { type BuildOfDay, sitesOf } from '#derived/builds.sql.ts'
import { type Fragment, sql, tuples } from '#evidence/sql.ts'

/** Deletes the stored counts of definitions that belong to retired builds. */
export const deleteDefinitionBuilds = (builds: readonly (BuildOfDay & { part: string })[]): Fragment => sql`
  DELETE FROM spoor.definition_daily
  WHERE site_id IN ${sitesOf(builds)} AND (site_id, definition_id, day, build) IN ${tuples(
    'Tuple(UUID, UUID, Date, UInt64)',
    builds.map((row) => [row.site_id, row.part, row.day, String(row.build)]),
  )}`
