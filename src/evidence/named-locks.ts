/** Named locks for work that only one process at a time may do on a shared evidence store (decisions 8.1, ADR 44). */
import { Mutex } from '#concurrency/mutex.ts'

/** Imports hold it, and so does every statement that changes the table in which imports stage their lines. */
export const IMPORT_LOCK = 'imports'

/** A lock that this process holds. */
export interface HeldLock {
  readonly name: string
  /** Increases each time the lock is taken. */
  readonly epoch: number
  /** How often pages were deleted under this lock, by any process. */
  deletions: number
  /** @throws EvidenceError unavailable: its lease is over, so another process may hold it. */
  check(): void
  /** Call it before each deletion of pages. */
  noteDeletion(): Promise<void>
}

export interface NamedLocks {
  /** Waits until no process holds the lock, then runs `work` under it. */
  run<T>(name: string, work: (lock: HeldLock) => Promise<T>): Promise<T>
  /** Runs `work` if the lock is free now, else returns false. */
  tryRun(name: string, work: (lock: HeldLock) => Promise<unknown>): Promise<boolean>
  /** True while work of this process runs or waits under this name. */
  isBusy(name: string): boolean
}

/** Locks in memory, for a process that is the only one on its stores. */
export function processLocks(): NamedLocks {
  const mutexes = new Map<string, Mutex>()
  const counts = new Map<string, { epoch: number; deletions: number }>()
  const mutexOf = (name: string) => {
    const known = mutexes.get(name) ?? new Mutex()
    mutexes.set(name, known)
    return known
  }
  const take = (name: string): HeldLock => {
    const counted = counts.get(name) ?? { epoch: 0, deletions: 0 }
    counts.set(name, counted)
    counted.epoch++
    return {
      ...counted,
      name,
      check() {},
      async noteDeletion() {
        this.deletions = ++counted.deletions
      },
    }
  }
  return {
    run: (name, work) => mutexOf(name).run(() => work(take(name))),
    async tryRun(name, work) {
      if (mutexOf(name).is_busy) return false
      await mutexOf(name).run(() => work(take(name)))
      return true
    },
    isBusy: (name) => mutexOf(name).is_busy,
  }
}
