import Type from 'typebox'
import { readMigrations, tablesOf } from './migrate.ts'
import { rows } from './sql.ts'
import type { EvidenceStore } from './store.ts'

const present = rows(Type.Object({ name: Type.String() }))`
  SELECT name FROM system.tables WHERE database = 'spoor' ORDER BY name`

/** Tables that the store does not have, because their files are missing. */
export async function missingTables(evidence: Pick<EvidenceStore, 'all'>): Promise<string[]> {
  const names = new Set((await evidence.all(present)).map(({ name }) => name))
  return tablesOf(await readMigrations()).filter((name) => !names.has(name))
}
