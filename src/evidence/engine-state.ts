/** What an evidence store's engine says of itself, embedded or on servers alike. */
import Type from 'typebox'
import { EvidenceError } from './errors.ts'
import { count, rows } from './sql.ts'
import type { EvidenceStoreState } from './store.ts'

export const engineState = rows(Type.Object({ layout: count(), memory_bytes: count() }))`
  SELECT (SELECT max(version) FROM spoor.schema_versions) AS layout,
    (SELECT toUInt64(greatest(toInt64(0), toInt64(value))) FROM system.metrics WHERE metric = 'MemoryTracking') AS memory_bytes`

/** @throws EvidenceError bug, when the engine answered without a row. */
export function readEngineState(answer: string): EvidenceStoreState {
  const [found] = engineState.readRows(JSON.parse(answer))
  if (found === undefined) throw new EvidenceError('bug', 'The engine reported nothing about its state.')
  return found
}
