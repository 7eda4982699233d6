import type { EvidenceStore } from './store.ts'

/** A store that has these members instead of those of `store`. */
export const overrideStore = (store: EvidenceStore, members: Partial<EvidenceStore>): EvidenceStore => ({
  writeLock: store.writeLock,
  has_own_parts: store.has_own_parts,
  versionOf: (table) => store.versionOf(table),
  all: (statement, limits) => store.all(statement, limits),
  run: (command, limits) => store.run(command, limits),
  insert: (table, rows, count) => store.insert(table, rows, count),
  ping: () => store.ping(),
  state: () => store.state(),
  releaseMemory: () => store.releaseMemory(),
  close: () => store.close(),
  ...members,
})
