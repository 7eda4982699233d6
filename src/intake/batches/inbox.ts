/** Turns chunks that arrive as messages into a stream. */
export class Inbox {
  readonly #waiting: Buffer[] = []
  readonly #onTaken: () => void
  #is_ended = false
  #failure: Error | null = null
  #wake = () => {}

  /** `onTaken` is called after each chunk is read, so that another one may be sent. */
  constructor(onTaken: () => void) {
    this.#onTaken = onTaken
  }

  put(chunk: Buffer): void {
    this.#waiting.push(chunk)
    this.#wake()
  }

  end(): void {
    this.#is_ended = true
    this.#wake()
  }

  /** The reader gets this error instead of waiting chunks. */
  fail(error: Error): void {
    this.#failure = error
    this.#wake()
  }

  async *chunks(): AsyncGenerator<Buffer> {
    for (;;) {
      if (this.#failure !== null) throw this.#failure
      const next = this.#waiting.shift()
      if (next !== undefined) {
        this.#onTaken()
        yield next
      } else if (this.#is_ended) return
      else await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}
