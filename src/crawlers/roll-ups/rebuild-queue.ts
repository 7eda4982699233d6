/** Runs one rebuild of roll-ups at a time in this process: a second one would derive the same days again. */
export class RebuildQueue {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs `work` after every rebuild that was asked for before. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }
}
