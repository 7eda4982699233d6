/** What a source's row says once evidence of it is durable: its first evidence connects it (rules 3). */
import { sql } from 'kysely'
import type { ControlTransaction } from '#control/store.ts'
import type { SourceRow } from '#control/tables.ts'

export interface ArrivedEvidence {
  /** The latest instant that the evidence covers, in ms. */
  through: number
  has_statuses: boolean
  /** It came in a dialect or format of a CDN. */
  sees_edge: boolean
}

/**
 * Connects the source and makes it primary with its first evidence, and moves `data_through` forward. Afterwards the
 * owner decides which source is primary.
 *
 * @returns its new row
 */
export function recordEvidence(
  tx: ControlTransaction,
  source_id: string,
  { through, has_statuses, sees_edge }: ArrivedEvidence,
  now: number,
): Promise<SourceRow> {
  return tx
    .updateTable('sources')
    .set({
      connected_at: sql<number>`coalesce(connected_at, ${now})`,
      is_primary: sql<0 | 1>`CASE WHEN connected_at IS NULL THEN 1 ELSE is_primary END`,
      data_through: sql<number>`CASE WHEN data_through >= ${through} THEN data_through ELSE ${through} END`,
      ...(has_statuses ? { has_statuses: 1 as const } : {}),
      // Unless the owner has said what the source sees.
      ...(sees_edge ? { vantage: sql<SourceRow['vantage']>`coalesce(vantage, 'edge')` } : {}),
      // What arrived before the owner disconnected a source is evidence all the same, and does not connect it again.
      connection_status: sql<SourceRow['connection_status']>`CASE
        WHEN source_type = 'https_intake' AND connection_status NOT IN ('disconnected', 'revoked') THEN 'live'
        ELSE connection_status END`,
    })
    .where('id', '=', source_id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
