/** Counts of open days that answers need repeatedly: they are updated in the background, before the next answer. */
import { MINUTE_MS } from '#clock.ts'

export interface OpenDayRead {
  /** Counts the facts that were received by `as_of` (epoch milliseconds), if at least `min_facts` are new. */
  refresh(min_facts: number, as_of: number): Promise<void>
}

/** Counts that no answer has used for this time are no longer updated. */
const RECENT_MS = 10 * MINUTE_MS
/** How often Spoor searches for days that have become large. An answer may count such a day earlier. */
const SEARCH_EVERY_MS = 5 * MINUTE_MS
/** Answers read all facts of smaller days, which takes no longer than the statements for a piece. */
const MIN_FACTS_OF_PIECES = 50_000
/** If more facts have arrived since the last piece, an answer first makes another piece of them. */
const MAX_NEW_FACTS = 100_000
/** The most reads. If there are more, the least recently used one is dropped. */
const MAX_READS = 64

export class OpenDayReads {
  /** Days with at least this many facts have pieces; tests set it lower. */
  min_facts_of_pieces = MIN_FACTS_OF_PIECES
  /** The most facts after the last piece that an answer reads; tests set it lower. */
  max_new_facts = MAX_NEW_FACTS
  /** The open day that was counted in advance, by site. */
  readonly counted = new Map<string, string>()
  /** Sites with a large open day that is to be counted in advance, the largest first. */
  readonly uncounted: string[] = []
  #searched_at = Number.NEGATIVE_INFINITY
  readonly #reads = new Map<string, { read: OpenDayRead; at: number }>()

  /** Whether a search for large days is due, which reads a row per fact of the day. If so, it counts as begun. */
  beginSearch(now: number): boolean {
    const passed = now - this.#searched_at
    // A clock that was set back must not delay it.
    if (passed >= 0 && passed < SEARCH_EVERY_MS) return false
    this.#searched_at = now
    return true
  }

  /**
   * Records that an answer used a read at `now`, epoch milliseconds. `key` identifies everything that its counts depend
   * on, except the facts.
   */
  note(key: string, read: OpenDayRead, now: number): void {
    this.#reads.delete(key)
    this.#reads.set(key, { read, at: now })
    const [oldest] = this.#reads.keys()
    if (this.#reads.size > MAX_READS && oldest !== undefined) this.#reads.delete(oldest)
  }

  /** The reads that answers have used recently. */
  recent(now: number): OpenDayRead[] {
    for (const [key, { at }] of [...this.#reads]) if (now - at > RECENT_MS) this.#reads.delete(key)
    return [...this.#reads.values()].map(({ read }) => read)
  }
}
