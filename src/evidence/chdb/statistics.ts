/**
 * Column statistics, which the engine creates for each part by default. They are for a join optimizer that no answer
 * needs, and take a fifth of each merge (ADR 53).
 */
import Type from 'typebox'
import { Fragment } from '../fragment.ts'
import { rows } from '../sql.ts'
import type { EvidenceStore } from '../store.ts'

const tablesWithStatistics = rows(Type.Object({ name: Type.String() }))`
  SELECT name
  FROM system.tables
  WHERE database = 'spoor' AND engine LIKE '%MergeTree' AND engine_full NOT LIKE '%auto_statistics_types = %'
  ORDER BY name`

/** Disables statistics for new parts, once for each table. Not for servers, which may not have the setting. */
export async function disableStatistics(store: Pick<EvidenceStore, 'all' | 'run'>): Promise<void> {
  for (const { name } of await store.all(tablesWithStatistics)) {
    await store.run(new Fragment([`ALTER TABLE spoor.${name} MODIFY SETTING auto_statistics_types = ''`]))
  }
}
