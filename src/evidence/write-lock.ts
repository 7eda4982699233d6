import type { HeldTurn, Turns } from './turns.ts'

const FACTS = 'facts'

/**
 * A lock between writing pages with their facts and deleting pages, in all processes that write to the store: a page
 * whose facts are not written yet must not count as unused.
 */
export class WriteLock {
  readonly #turns: Turns
  #held: HeldTurn | null = null

  constructor(turns: Turns) {
    this.#turns = turns
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.run(FACTS, async (turn) => {
      this.#held = turn
      try {
        return await work()
      } finally {
        this.#held = null
      }
    })
  }

  /**
   * Before each write: the turn may be lost while a process stands still, and another one has stored the same event, or
   * has deleted the page of a fact, since this one looked. @throws EvidenceError unavailable.
   */
  check(): void {
    this.#held?.check()
  }

  /** Call it before each deletion of pages, within `run`. */
  async notePageDeletion(): Promise<void> {
    await this.#turn().noteDeletion()
  }

  /** Within `run`: grows whenever stored pages may have been deleted. A memory of stored pages is then out of date. */
  get page_deletions(): number {
    return this.#turn().deletions
  }

  #turn(): HeldTurn {
    if (this.#held === null) throw new Error('Pages are written and deleted under the write lock only.')
    return this.#held
  }
}
