/** Updates the row of a source after evidence is durable; the first evidence connects it (rules 3). */
import { sql } from 'kysely'
import type { ControlTransaction } from '#control/store.ts'
import type { SourceRow } from '#control/tables.ts'

export interface StoredEvidence {
  /** The latest instant that the evidence covers, in ms. */
  through: number
  has_statuses: boolean
  /** The evidence was in a dialect or format of a CDN. */
  sees_edge: boolean
}

/**
 * Connects the source and makes it primary with its first evidence, and advances `data_through`. Later the owner
 * decides which source is primary. @returns the new row.
 */
export function recordEvidence(
  tx: ControlTransaction,
  source_id: string,
  { through, has_statuses, sees_edge }: StoredEvidence,
  now: number,
): Promise<SourceRow> {
  return tx
    .updateTable('sources')
    .set({
      connected_at: sql<number>`coalesce(connected_at, ${now})`,
      is_primary: sql<0 | 1>`CASE WHEN connected_at IS NULL THEN 1 ELSE is_primary END`,
      data_through: sql<number>`CASE WHEN data_through >= ${through} THEN data_through ELSE ${through} END`,
      ...(has_statuses ? { has_statuses: 1 as const } : {}),
      // Unless the owner has set the vantage.
      ...(sees_edge ? { vantage: sql<SourceRow['vantage']>`coalesce(vantage, 'edge')` } : {}),
      // Evidence that arrived before the owner disconnected the source counts, but does not connect it again.
      connection_status: sql<SourceRow['connection_status']>`CASE
        WHEN source_type = 'https_intake' AND connection_status NOT IN ('disconnected', 'revoked') THEN 'live'
        ELSE connection_status END`,
    })
    .where('id', '=', source_id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
