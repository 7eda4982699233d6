import { Mutex } from '#mutex.ts'

/** Keeps the writing of pages and facts apart from the deletion of pages: a page whose facts are still to come must not be deleted as unused. */
export class WriteLock extends Mutex {
  #pageDeletions = 0

  /** Call it with each deletion of pages, within `run`. */
  notePageDeletion(): void {
    this.#pageDeletions++
  }

  /** Grows whenever stored pages may have been deleted: a memory of stored pages is then out of date. */
  get page_deletions(): number {
    return this.#pageDeletions
  }
}
