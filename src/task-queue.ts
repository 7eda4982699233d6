/** Runs pieces of work one after the other, in the order in which they were given; one that fails does not keep the next from running. */
export class TaskQueue {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs `work` after everything that was given before; resolves or rejects as it does. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }
}
