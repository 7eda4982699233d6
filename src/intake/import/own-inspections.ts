import type { ControlDb } from '#control/store.ts'

/** Ids of the inspections of a site that were begun: log lines that carry one are Spoor's own requests (rules 8.3). */
export async function findInspectionIds(db: ControlDb, site_id: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('inspections')
    .select('id')
    .where('site_id', '=', site_id)
    .where('started_at', 'is not', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
