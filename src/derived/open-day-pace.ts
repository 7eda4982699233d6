import { MINUTE_MS } from '#clock.ts'

/**
 * The share of the time that all derivations of open days may take together. On a long day, each may take many seconds,
 * and uses about a quarter of a processor meanwhile.
 */
const MAX_SHARE = 0.25
/** How much time may be used in advance: the share of a minute. */
const MAX_AHEAD_MS = MAX_SHARE * MINUTE_MS

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
  /** Milliseconds that were used in advance, as of `#added_at`. */
  #ahead_ms = 0
  #added_at: number | null = null

  /**
   * Whether the open day of a site may be derived at `now` (epoch milliseconds): the last derivation was not within the
   * last minute, and the share of time allows one of the same duration. If so, the derivation counts as begun.
   */
  tryBegin(site_id: string, now: number): boolean {
    const last = this.#last.get(site_id)
    // A clock that was set back must not delay it.
    if (last !== undefined && now >= last.at && now - last.at < MINUTE_MS) return false
    this.#addTime(now)
    // The first derivation is expected to take no time; its real duration is noted when it ends.
    const expected_ms = last === undefined ? 0 : last.took_ms
    // A derivation that takes longer than the share of a minute begins once nothing is used in advance.
    if (this.#ahead_ms > 0 && this.#ahead_ms + expected_ms > MAX_AHEAD_MS) return false
    this.#ahead_ms += expected_ms
    this.#last.set(site_id, { at: now, took_ms: expected_ms })
    return true
  }

  /** Replaces the expected duration of a derivation by its real one. */
  noteDuration(site_id: string, took_ms: number): void {
    const last = this.#last.get(site_id)
    if (last === undefined) return
    this.#ahead_ms = Math.max(0, this.#ahead_ms + took_ms - last.took_ms)
    last.took_ms = took_ms
  }

  /** Sorts sites by their last derivation, so that the one that has waited longest is first. */
  longestWaitFirst<T extends { site_id: string }>(sites: readonly T[]): T[] {
    const at = ({ site_id }: T) => this.#last.get(site_id)?.at ?? Number.NEGATIVE_INFINITY
    // The difference of two infinite numbers is NaN.
    return sites.toSorted((a, b) => (at(a) === at(b) ? 0 : at(a) - at(b)))
  }

  #addTime(now: number): void {
    const passed = this.#added_at === null ? 0 : Math.max(0, now - this.#added_at)
    this.#ahead_ms = Math.max(0, this.#ahead_ms - MAX_SHARE * passed)
    this.#added_at = now
  }
}
