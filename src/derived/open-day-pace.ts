import { MINUTE_MS } from '#clock.ts'

/** What derivations of open days may take of the time, all together: facts of a long day cost seconds each time. */
const SHARE = 0.1
/** How much of its share may be used ahead, milliseconds: what comes in a minute. */
const MAX_AHEAD_MS = SHARE * MINUTE_MS

interface Derived {
  at: number
  took_ms: number
}

/**
 * When the open days of sites are derived again: each at most once a minute (rules 8.2), and all together for no more
 * than a tenth of the time. Until then answers count their facts, as they do in any case.
 */
export class OpenDayPace {
  readonly #last = new Map<string, Derived>()
  /** What was used ahead of the share, as of `#at`. */
  #ahead_ms = 0
  #at: number | null = null

  /**
   * True when the open day of a site may be derived at `now` (epoch milliseconds): it was not within the last minute,
   * and there is time for as long as it took then. It counts as begun.
   */
  take(site_id: string, now: number): boolean {
    const last = this.#last.get(site_id)
    // A clock that was set back must not put it off.
    if (last !== undefined && now >= last.at && now - last.at < MINUTE_MS) return false
    this.#earn(now)
    // Nothing is expected of a first one, which is corrected when it ends.
    const expected_ms = last === undefined ? 0 : last.took_ms
    // One that takes longer than a minute's share alone is derived once nothing is used ahead.
    if (this.#ahead_ms > 0 && this.#ahead_ms + expected_ms > MAX_AHEAD_MS) return false
    this.#ahead_ms += expected_ms
    this.#last.set(site_id, { at: now, took_ms: expected_ms })
    return true
  }

  /** Corrects what was expected of a derivation by what it took. */
  note(site_id: string, took_ms: number): void {
    const last = this.#last.get(site_id)
    if (last === undefined) return
    this.#ahead_ms = Math.max(0, this.#ahead_ms + took_ms - last.took_ms)
    last.took_ms = took_ms
  }

  /** Sites in the order in which their open days are due: those that waited longest come first. */
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
