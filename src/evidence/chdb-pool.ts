/** Sessions that only read. Each runs one statement at a time; further reads wait for the next free one. */
import type { ChdbSession } from './chdb-session.ts'
import { EvidenceError } from './errors.ts'

export class ReaderPool {
  readonly #free: ChdbSession[]
  readonly #waiting: { take: (session: ChdbSession) => void; refuse: (error: EvidenceError) => void }[] = []
  #open = true

  constructor(readers: readonly ChdbSession[]) {
    this.#free = [...readers]
  }

  /** Lends a reader for as long as `work` runs. */
  async with<T>(work: (reader: ChdbSession) => Promise<T>): Promise<T> {
    const reader = await this.#take()
    try {
      return await work(reader)
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free.push(reader)
      else next.take(reader)
    }
  }

  /** Turns away those who wait and those who come. */
  shut(): void {
    this.#open = false
    for (const { refuse } of this.#waiting.splice(0)) refuse(closing())
  }

  #take(): Promise<ChdbSession> {
    if (!this.#open) return Promise.reject(closing())
    const reader = this.#free.pop()
    if (reader !== undefined) return Promise.resolve(reader)
    return new Promise((take, refuse) => this.#waiting.push({ take, refuse }))
  }
}

export function closing(): EvidenceError {
  return new EvidenceError('unavailable', 'The evidence store is closed or closing.')
}
