import type { Clock } from '#clock.ts'
import { EvidenceError, type EvidenceErrorKind } from './errors.ts'
import { overrideStore } from './override-store.ts'
import type { EvidenceStore } from './store.ts'

export interface ObservedStatement {
  kind: 'read' | 'write' | 'insert'
  /** Including the wait for a reader or the writer. */
  seconds: number
  /** Null when it succeeded. */
  error: EvidenceErrorKind | null
}

export type StatementObserver = (statement: ObservedStatement) => void

/** The same store, which reports each statement to `observer` once it has ended. */
export function observeEvidence(store: EvidenceStore, clock: Clock, observer: StatementObserver): EvidenceStore {
  const observe = async <T>(kind: ObservedStatement['kind'], work: Promise<T>): Promise<T> => {
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
  return overrideStore(store, {
    all: (statement, limits) => observe('read', store.all(statement, limits)),
    run: (command, limits) => observe('write', store.run(command, limits)),
    insert: (table, rows, count) => observe('insert', store.insert(table, rows, count)),
  })
}
