import { setImmediate as soon } from 'node:timers'

/** Divides long work into tasks; between two of them the event loop runs once. */
export class TaskQueue {
  readonly #waiting: (() => void)[] = []
  #is_asked = false

  /** Resolves when the caller may work, which should take a few milliseconds. */
  next(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push(resolve)
    this.#ask()
    return promise
  }

  #ask(): void {
    if (this.#is_asked) return
    this.#is_asked = true
    soon(() => {
      this.#is_asked = false
      this.#waiting.shift()?.()
      // TRICKY: requested here, it runs in the next round of the loop, because all immediates of a round run together.
      if (this.#waiting.length > 0) this.#ask()
    })
  }
}
