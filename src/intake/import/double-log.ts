/** A front and a back server may write into one log, and then every request is in it twice (a hard case). */

/** About so many kept lines are remembered; a line and its double stand close together. */
const REMEMBERED = 16_384
const MIN_LINES = 20
const LIKELY_SHARE = 0.2

/** Notices requests repeated within a second by one client, agent and target under different protocols. */
export class DoubleLog {
  #lines = 0
  #doubles = 0
  /**
   * Hashes of requests and of their protocols, each in the place that the request's hash names, where a later one takes
   * over: small, however long the requests are, and exact enough for a warning.
   */
  readonly #requests = new Int32Array(2 * REMEMBERED)
  readonly #protocols = new Int32Array(REMEMBERED)

  /** `protocol` is the last word of the request line, for example HTTP/1.1. */
  add(second: number, client: string, target: string, agentKey: string, protocol: string): void {
    this.#lines++
    let high = second | 0
    let low = ~high
    for (const text of [client, target, agentKey]) {
      high = hashed(text, high, 0x9e3779b1)
      low = hashed(text, low, 0x85ebca6b)
    }
    const spoken = hashed(protocol, 0, 0x9e3779b1)
    const place = (low ^ (low >>> 16)) & (REMEMBERED - 1)
    const is_known = this.#requests[2 * place] === high && this.#requests[2 * place + 1] === low
    if (is_known && this.#protocols[place] !== spoken) {
      this.#doubles++
      this.#requests[2 * place] = ~high
      return
    }
    this.#requests[2 * place] = high
    this.#requests[2 * place + 1] = low
    this.#protocols[place] = spoken
  }

  /** Share of kept lines that stand twice; null when a double log is not likely. */
  share(): number | null {
    const share = (2 * this.#doubles) / this.#lines
    return this.#lines >= MIN_LINES && share >= LIKELY_SHARE ? share : null
  }
}

/** 32 bits of a text that follows others; its end takes part, so that no letter can move from one to the next. */
function hashed(text: string, before: number, factor: number): number {
  let hash = before
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), factor)
    hash ^= hash >>> 15
  }
  return Math.imul(hash ^ 0x1_0000, factor)
}
