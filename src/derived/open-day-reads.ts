/** Counts of open days that answers need repeatedly: they are updated in the background, before the next answer. */
import { MINUTE_MS } from '#clock.ts'

export interface OpenDayRead {
  /** Counts the facts that had come by `as_of` (epoch milliseconds), if there are at least `min_facts` new ones. */
  refresh(min_facts: number, as_of: number): Promise<void>
}

/** Counts that no answer asked for during this time are not updated any more. */
const RECENT_MS = 10 * MINUTE_MS
/** How often Spoor looks for days that have become large; an answer may count such a day earlier. */
const LOOK_MS = 5 * MINUTE_MS
/** Days of fewer facts are read whole by each answer, which takes no longer than the statements around a piece. */
const MIN_FACTS_OF_PIECES = 50_000
/** If more facts have come since the last piece, an answer first makes another piece of them. */
const MAX_REST_FACTS = 100_000
/** At more reads, the one that was asked for longest ago is dropped. */
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
