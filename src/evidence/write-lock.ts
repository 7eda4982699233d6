/** Keeps the writing of pages and facts apart from the deletion of pages: a page whose facts are still to come must not be deleted as unused. */
export class WriteLock {
  #last: Promise<void> = Promise.resolve()
  #pageDeletions = 0

  /** Runs work that writes pages and facts, or deletes pages, after all such work that was given to it before. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.then(
      () => {},
      () => {},
    )
    return done
  }

  /** Call it with each deletion of pages, within `run`. */
  notePageDeletion(): void {
    this.#pageDeletions++
  }

  /** Grows whenever stored pages may have been deleted: a memory of stored pages is then out of date. */
  get page_deletions(): number {
    return this.#pageDeletions
  }
}
