import type { HeldLock, NamedLocks } from './named-locks.ts'

const FACTS_LOCK = 'facts'

/**
 * A lock between writing pages with their facts and deleting pages, in all processes that write to the store: a page
 * whose facts are not written yet must not count as unused.
 */
export class WriteLock {
  readonly #locks: NamedLocks
  #held: HeldLock | null = null

  constructor(locks: NamedLocks) {
    this.#locks = locks
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#locks.run(FACTS_LOCK, async (lock) => {
      this.#held = lock
      try {
        return await work()
      } finally {
        this.#held = null
      }
    })
  }

  /**
   * Call it before each write. A suspended process may have lost the lock, and another one may have stored the same
   * event, or deleted the page of a fact, since this one looked. @throws EvidenceError unavailable: the lock is lost.
   */
  check(): void {
    this.#held?.check()
  }

  /** Call it before each deletion of pages, within `run`. */
  async notePageDeletion(): Promise<void> {
    await this.#lock().noteDeletion()
  }

  /** Within `run`: grows whenever stored pages may have been deleted. A cache of stored pages is then out of date. */
  get page_deletions(): number {
    return this.#lock().deletions
  }

  #lock(): HeldLock {
    if (this.#held === null) throw new Error('Pages are written and deleted under the write lock only.')
    return this.#held
  }
}
