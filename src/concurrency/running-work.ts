/** Work under way, which its owner waits for before it closes. */
export class RunningWork {
  readonly #running = new Set<Promise<void>>()

  /** Takes part until the work ends, also by a failure; returns the work itself. */
  track<T>(work: Promise<T>): Promise<T> {
    const ended = work.then(
      () => {},
      () => {},
    )
    this.#running.add(ended)
    ended.finally(() => this.#running.delete(ended))
    return work
  }

  /** Resolves when all work that has begun so far has ended; never rejects. */
  async ended(): Promise<void> {
    await Promise.all(this.#running)
  }
}
