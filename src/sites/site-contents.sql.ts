import Type from 'typebox'
import { count, rows, sql, uuid } from '#evidence/sql.ts'

const StoredEvidence = Type.Object({
  kind: Type.String(),
  stored: count(),
  first_day: Type.String(),
  last_day: Type.String(),
})

/** Rows of both kinds that are stored, repeated deliveries counted once; a kind without rows has none. */
export const storedEvidence = (site_id: string) => {
  const of_site = sql`FINAL WHERE site_id = ${uuid(site_id)}`
  const columns = sql`count() AS stored, toString(min(day)) AS first_day, toString(max(day)) AS last_day`
  return rows(StoredEvidence)`
  SELECT 'requests' AS kind, ${columns} FROM spoor.requests ${of_site} HAVING stored > 0
  UNION ALL
  SELECT 'events' AS kind, ${columns} FROM spoor.events ${of_site} HAVING stored > 0`
}
