import type { EvidenceStore } from './store.ts'

/** The same store, which reads by `all`; everything else goes to `store`. */
export const readingBy = (store: EvidenceStore, all: EvidenceStore['all']): EvidenceStore => ({
  writeLock: store.writeLock,
  has_own_parts: store.has_own_parts,
  all,
  run: (command, limits) => store.run(command, limits),
  insert: (table, rows, count) => store.insert(table, rows, count),
  ping: () => store.ping(),
  state: () => store.state(),
  releaseMemory: () => store.releaseMemory(),
  close: () => store.close(),
})
