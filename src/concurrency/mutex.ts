/** Runs pieces of work one after the other, in the given order; a failure does not stop the next. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  /** True while work runs or waits. */
  get is_busy(): boolean {
    return this.#waiting > 0
  }

  /** Runs `work` after all earlier work; resolves or rejects as it does. */
  run<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting++
    const done = this.#last.then(work)
    this.#last = done.catch(() => {}).finally(() => this.#waiting--)
    return done
  }
}
