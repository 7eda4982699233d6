import { setImmediate as soon } from 'node:timers'

/** Shares the event loop among much work: between two tasks of the queue everything else runs once. */
export class TaskQueue {
  readonly #waiting: (() => void)[] = []
  #is_asked = false

  /** Resolves when it is the caller's turn; its piece of work should last a few milliseconds. */
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
      // TRICKY: asked for here, it comes in the next round of the loop: all immediates of one round run together.
      if (this.#waiting.length > 0) this.#ask()
    })
  }
}
