/** A pool of sessions. Each runs one statement at a time; further statements wait for a free session. */

import { EvidenceError } from '../errors.ts'
import type { ChdbSession } from './session.ts'

export class SessionPool {
  readonly #free: ChdbSession[]
  readonly #waiting: { take: (session: ChdbSession) => void; refuse: (error: EvidenceError) => void }[] = []
  #open = true

  constructor(sessions: readonly ChdbSession[]) {
    this.#free = [...sessions]
  }

  /** Lends a session for as long as `work` runs. Urgent work is next among all that waits. */
  async with<T>(work: (session: ChdbSession) => Promise<T>, { is_urgent = false } = {}): Promise<T> {
    const session = await this.#take(is_urgent)
    try {
      return await work(session)
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free.push(session)
      else next.take(session)
    }
  }

  /** Refuses waiting and new calls. */
  close(): void {
    this.#open = false
    for (const { refuse } of this.#waiting.splice(0)) refuse(closing())
  }

  #take(is_urgent: boolean): Promise<ChdbSession> {
    if (!this.#open) return Promise.reject(closing())
    const session = this.#free.pop()
    if (session !== undefined) return Promise.resolve(session)
    return new Promise((take, refuse) => {
      if (is_urgent) this.#waiting.unshift({ take, refuse })
      else this.#waiting.push({ take, refuse })
    })
  }
}

/** The error of statements after the store began to close. */
export function closing(): EvidenceError {
  return new EvidenceError('unavailable', 'The evidence store is closed or closing.')
}
