import { Mutex } from '#mutex.ts'

/** Separates writing pages and facts from deleting pages: a page whose facts are still to come is not unused. */
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
