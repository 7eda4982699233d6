/** Inspections of a site, by whose ids its logs recognise requests that Spoor made itself (rules 8.3). */
import type { ControlDb } from '#control/store.ts'

/** Ids of those that were begun, from `since` on (epoch milliseconds). */
export async function findInspectionIds(db: ControlDb, site_id: string, since = 0): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('inspections')
    .select('id')
    .where('site_id', '=', site_id)
    .where('started_at', '>=', since)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Whether an id is that of an inspection of the site. */
export async function isInspectionOf(db: ControlDb, site_id: string, id: string): Promise<boolean> {
  const found = await db
    .selectFrom('inspections')
    .select('id')
    .where('id', '=', id)
    .where('site_id', '=', site_id)
    .executeTakeFirst()
  return found !== undefined
}
