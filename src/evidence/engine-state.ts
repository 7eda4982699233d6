/** The state that the engine of an evidence store reports, embedded or on servers. */
import Type from 'typebox'
import { EvidenceError } from './errors.ts'
import { count, rows } from './sql.ts'
import type { EvidenceStoreState } from './store.ts'

export const engineState = rows(Type.Object({ layout: count(), memory_bytes: count() }))`
  SELECT (SELECT max(version) FROM spoor.schema_versions) AS layout,
    (SELECT toUInt64(greatest(toInt64(0), toInt64(value))) FROM system.metrics WHERE metric = 'MemoryTracking') AS memory_bytes`

/** @throws EvidenceError bug: the engine returned no row. */
export function readEngineState(answer: string): EvidenceStoreState {
  const [found] = engineState.readRows(JSON.parse(answer))
  if (found === undefined) throw new EvidenceError('bug', 'The engine reported nothing about its state.')
  return found
}
