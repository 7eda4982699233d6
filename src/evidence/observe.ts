import type { Clock } from '#clock.ts'
import { changedStore } from './changed-store.ts'
import { EvidenceError, type EvidenceErrorKind } from './errors.ts'
import type { EvidenceStore } from './store.ts'

export interface StatementSeen {
  kind: 'read' | 'write' | 'insert'
  /** Including the wait for a reader or the writer. */
  seconds: number
  /** Null when it succeeded. */
  error: EvidenceErrorKind | null
}

export type StatementObserver = (seen: StatementSeen) => void

/** The same store, which reports each statement to `observer` once it has ended. */
export function observeEvidence(store: EvidenceStore, clock: Clock, observer: StatementObserver): EvidenceStore {
  const seen = async <T>(kind: StatementSeen['kind'], work: Promise<T>): Promise<T> => {
    const started = clock.elapsed()
    const report = (error: EvidenceErrorKind | null) =>
      observer({ kind, seconds: (clock.elapsed() - started) / 1_000, error })
    try {
      const result = await work
      report(null)
      return result
    } catch (error) {
      report(error instanceof EvidenceError ? error.kind : 'bug')
      throw error
    }
  }
  return changedStore(store, {
    all: (statement, limits) => seen('read', store.all(statement, limits)),
    run: (command, limits) => seen('write', store.run(command, limits)),
    insert: (table, rows, count) => seen('insert', store.insert(table, rows, count)),
  })
}
