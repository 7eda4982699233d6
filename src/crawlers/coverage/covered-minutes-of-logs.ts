/** The minutes for which a log has at least one line, from which the coverage of uploads is computed (rules 3). */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#clock.ts'
import { isCoveredSilence } from '#crawlers/coverage/join-covered-time.ts'

const MINUTES_PER_DAY = 1440
const MIN_LIMIT_MS = HOUR_MS
const MAX_LIMIT_MS = DAY_MS

export interface CoveredTime {
  /** Disjoint, ascending ranges of whole minutes, [from, to) in epoch milliseconds. */
  ranges: { from: number; to: number }[]
  /** The longest silence that still counts as covered, in milliseconds. */
  silence_limit_ms: number
}

/** A bitmap of minutes, 180 bytes for each day with a line; lines may be in any order. */
export class MinuteMap {
  readonly #days = new Map<number, Uint8Array>()
  #lastMinute = -1

  /** Marks the minute of an instant (epoch milliseconds). */
  add(instant: number): void {
    const minute = Math.floor(instant / MINUTE_MS)
    if (minute === this.#lastMinute) return
    this.#lastMinute = minute
    const day = Math.floor(minute / MINUTES_PER_DAY)
    let bits = this.#days.get(day)
    if (bits === undefined) {
      bits = new Uint8Array(MINUTES_PER_DAY / 8)
      this.#days.set(day, bits)
    }
    const index = minute - day * MINUTES_PER_DAY
    const byte = index >> 3
    bits[byte] = (bits[byte] as number) | (1 << (index & 7))
  }

  /** Ascending epoch minutes that are marked. */
  *minutes(): Generator<number> {
    for (const day of [...this.#days.keys()].sort((a, b) => a - b)) {
      const bits = this.#days.get(day) as Uint8Array
      for (let index = 0; index < MINUTES_PER_DAY; index++) {
        if (((bits[index >> 3] as number) >> (index & 7)) & 1) yield day * MINUTES_PER_DAY + index
      }
    }
  }

  /** A silence counts as covered up to 10 times the 99th percentile of all silences, 1 h to 24 h (rules 3). */
  covered(): CoveredTime {
    const minutes = [...this.minutes()]
    const limit = silenceLimit(minutes)
    const ranges: CoveredTime['ranges'] = []
    let open: { from: number; to: number } | undefined
    for (const minute of minutes) {
      const from = minute * MINUTE_MS
      if (open !== undefined && isCoveredSilence({ from: open.to, to: from }, limit)) {
        open.to = from + MINUTE_MS
      } else {
        open = { from, to: from + MINUTE_MS }
        ranges.push(open)
      }
    }
    return { ranges, silence_limit_ms: limit }
  }
}

function silenceLimit(minutes: readonly number[]): number {
  const silences: number[] = []
  for (let i = 1; i < minutes.length; i++) silences.push((minutes[i] as number) - (minutes[i - 1] as number))
  if (silences.length === 0) return MIN_LIMIT_MS
  silences.sort((a, b) => a - b)
  const rank = Math.max(0, Math.ceil(silences.length * 0.99) - 1)
  const limit = 10 * (silences[rank] as number) * MINUTE_MS
  return Math.min(MAX_LIMIT_MS, Math.max(MIN_LIMIT_MS, limit))
}
