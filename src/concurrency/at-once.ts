/** Runs a limited number of pieces of work at a time; the others wait in their order. A failure stops no other. */
export class AtOnce {
  readonly #most: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(most: number) {
    this.#most = most
  }

  /** How many pieces wait for a place. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Resolves or rejects as `work` does, which begins as soon as there is a place for it. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#most) this.#running += 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      // A waiting piece takes over the place.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }
}
