/** What is counted of open days again and again: it is kept up to date before the next answer asks for it. */
import { MINUTE_MS } from '#clock.ts'

export interface OpenDayRead {
  /** Counts what had come by `as_of` (epoch milliseconds), where that is at least so many facts. */
  refresh(min_facts: number, as_of: number): Promise<void>
}

/** No answer is expected to need what was not asked for so long. */
const RECENT_MS = 10 * MINUTE_MS
/** A day that grows large meanwhile is counted by then, or when an answer needs it. */
const LOOK_MS = 5 * MINUTE_MS
/** Days of fewer facts are read whole by each answer: that takes no longer than what a piece needs around it. */
const MIN_FACTS_OF_PIECES = 50_000
/** More that have come since the last piece become another one before an answer reads what came after it. */
const MAX_REST_FACTS = 100_000
/** What was asked for longest ago makes room. */
const MAX_READS = 64

export class OpenDayReads {
  /** Pieces are kept of days with at least so many facts; tests set it lower. */
  min_facts_of_pieces = MIN_FACTS_OF_PIECES
  /** How many facts an answer reads since the last piece; tests set it lower. */
  max_rest_facts = MAX_REST_FACTS
  /** The open day that was counted beforehand, by site. */
  readonly counted = new Map<string, string>()
  #looked_at = Number.NEGATIVE_INFINITY
  readonly #reads = new Map<string, { read: OpenDayRead; at: number }>()

  /** Whether it is time to look for large days again: that reads a row of every fact of the day. It counts as done. */
  takeLook(now: number): boolean {
    const passed = now - this.#looked_at
    // A clock that was set back must not put it off.
    if (passed >= 0 && passed < LOOK_MS) return false
    this.#looked_at = now
    return true
  }

  /** An answer asked for it at `now`, epoch milliseconds. `key` names all that the counts depend on but the facts. */
  note(key: string, read: OpenDayRead, now: number): void {
    this.#reads.delete(key)
    this.#reads.set(key, { read, at: now })
    const [oldest] = this.#reads.keys()
    if (this.#reads.size > MAX_READS && oldest !== undefined) this.#reads.delete(oldest)
  }

  /** Those that answers asked for lately. */
  recent(now: number): OpenDayRead[] {
    for (const [key, { at }] of [...this.#reads]) if (now - at > RECENT_MS) this.#reads.delete(key)
    return [...this.#reads.values()].map(({ read }) => read)
  }
}
