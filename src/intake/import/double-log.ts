/** A front and a back server often write into one log, and then every request stands in it twice (HARD CASE of counting). */

/** Requests are compared within this many kept lines. */
const REMEMBERED = 4_096
const LEAST_LINES = 20
const LIKELY_SHARE = 0.2

/** Notices requests that occur twice within a second, from one client by one agent to one target, under different protocols. */
export class DoubleLog {
  #lines = 0
  #doubles = 0
  /** Hashes of protocols by a hash of everything else: small, however long the requests are, and exact enough for a warning. */
  #seen = new Map<number, number>()

  /** `protocol` is the last word of the request line, for example HTTP/1.1. */
  add(second: number, client: string, target: string, agentKey: string, protocol: string): void {
    this.#lines++
    const key = hashOf(second, client, target, agentKey)
    const spoken = hashOf(0, protocol)
    const earlier = this.#seen.get(key)
    if (earlier !== undefined && earlier !== spoken) {
      this.#doubles++
      this.#seen.delete(key)
      return
    }
    if (this.#seen.size >= REMEMBERED) this.#seen.clear()
    this.#seen.set(key, spoken)
  }

  /** Share of kept lines that stand twice; null when a double log is not likely. */
  share(): number | null {
    const share = (2 * this.#doubles) / this.#lines
    return this.#lines >= LEAST_LINES && share >= LIKELY_SHARE ? share : null
  }
}

/** 53 bits. */
function hashOf(seed: number, ...texts: readonly string[]): number {
  let high = seed | 0
  let low = ~high
  for (const text of texts) {
    // Each text ends with a step of its own, so that no letter can move from one to the next.
    for (let at = 0; at <= text.length; at += 1) {
      const code = at < text.length ? text.charCodeAt(at) : 0x1_0000
      high = Math.imul(high ^ code, 0x9e3779b1)
      low = Math.imul(low ^ code, 0x85ebca6b) ^ (low >>> 13)
    }
  }
  return (high >>> 0) * 0x20_0000 + (low >>> 11)
}
