/** Conditions on the builds of rows. */
import { type Fragment, list, sql, tuples } from '#evidence/sql.ts'

export interface BuildOfDay {
  site_id: string
  day: string
  build: number
}

/** The sites of builds, each once. With them, a condition uses the primary key. */
export const sitesOf = (builds: readonly BuildOfDay[]): Fragment =>
  sql`${list('UUID', [...new Set(builds.map(({ site_id }) => site_id))])}`

/** A condition for the rows of these builds of days; `day` is the column of the day. */
export const inBuildsOfDays = (builds: readonly BuildOfDay[], day = sql`day`): Fragment => {
  const rows = builds.map(({ site_id, day, build }) => [site_id, day, String(build)])
  return sql`site_id IN ${sitesOf(builds)} AND (site_id, ${day}, build) IN ${tuples('Tuple(UUID, Date, UInt64)', rows)}`
}
