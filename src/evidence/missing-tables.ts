import Type from 'typebox'
import { rows } from './sql.ts'
import type { EvidenceStore } from './store.ts'
import { INSERT_COLUMNS } from './tables.ts'

const present = rows(Type.Object({ name: Type.String() }))`
  SELECT name FROM system.tables WHERE database = 'spoor' ORDER BY name`

/** Tables for evidence that the store does not have, because their files are missing. */
export async function missingTables(evidence: Pick<EvidenceStore, 'all'>): Promise<string[]> {
  const names = new Set((await evidence.all(present)).map(({ name }) => name))
  return Object.keys(INSERT_COLUMNS).filter((name) => !names.has(name))
}
