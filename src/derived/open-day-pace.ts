import { MINUTE_MS } from '#clock.ts'

/**
 * The share of the time that derivations of open days may take in all. Each may take many seconds on a long day, and
 * uses about a quarter of a processor meanwhile.
 */
const SHARE = 0.25
/** How much of the share may be used in advance, milliseconds: the share of a minute. */
const MAX_AHEAD_MS = SHARE * MINUTE_MS

interface Derived {
  at: number
  took_ms: number
}

/**
 * Decides when the open days of sites are derived again: each at most once a minute (rules 8.2), and all together for
 * no more than a quarter of the time. Answers count the facts of open days in any case.
 */
export class OpenDayPace {
  readonly #last = new Map<string, Derived>()
  /** Milliseconds that were used in advance, as of `#at`. */
  #ahead_ms = 0
  #at: number | null = null

  /**
   * Whether the open day of a site may be derived at `now` (epoch milliseconds): the last derivation was not within the
   * last minute, and the share of time allows one of the same duration. If so, the derivation counts as begun.
   */
  take(site_id: string, now: number): boolean {
    const last = this.#last.get(site_id)
    // A clock that was set back must not delay it.
    if (last !== undefined && now >= last.at && now - last.at < MINUTE_MS) return false
    this.#earn(now)
    // The expected duration of the first one is zero, and is corrected when it ends.
    const expected_ms = last === undefined ? 0 : last.took_ms
    // A derivation that takes longer than the share of a minute begins once nothing is used in advance.
    if (this.#ahead_ms > 0 && this.#ahead_ms + expected_ms > MAX_AHEAD_MS) return false
    this.#ahead_ms += expected_ms
    this.#last.set(site_id, { at: now, took_ms: expected_ms })
    return true
  }

  /** Replaces the expected duration of a derivation by its real one. */
  note(site_id: string, took_ms: number): void {
    const last = this.#last.get(site_id)
    if (last === undefined) return
    this.#ahead_ms = Math.max(0, this.#ahead_ms + took_ms - last.took_ms)
    last.took_ms = took_ms
  }

  /** Sites in the order in which their open days are due: those that have waited longest are first. */
  inOrder<T extends { site_id: string }>(sites: readonly T[]): T[] {
    const at = ({ site_id }: T) => this.#last.get(site_id)?.at ?? Number.NEGATIVE_INFINITY
    return sites.toSorted((a, b) => (at(a) < at(b) ? -1 : at(a) > at(b) ? 1 : 0))
  }

  #earn(now: number): void {
    const passed = this.#at === null ? 0 : Math.max(0, now - this.#at)
    this.#ahead_ms = Math.max(0, this.#ahead_ms - SHARE * passed)
    this.#at = now
  }
}
