/** A front and a back server may write into one log, and then every request is in it twice (a hard case). */

/** About so many kept lines are remembered; a line and its double stand close together. */
const REMEMBERED = 16_384
const MIN_LINES = 20
const LIKELY_SHARE = 0.2

/** 64 bits of a text. */
export interface Print {
  high: number
  low: number
}

/** Notices requests repeated within a second by one client, agent and target under different protocols. */
export class DoubleLog {
  #lines = 0
  #doubles = 0
  /**
   * Prints of requests and of their protocols, each in the place that the request's print names, where a later one
   * takes over: small, however long the requests are, and exact enough for a warning.
   */
  readonly #requests = new Int32Array(2 * REMEMBERED)
  readonly #protocols = new Int32Array(REMEMBERED)

  /** Takes a line by the print of its request, made of `parts` by `joinPrints`, and the print of its protocol. */
  add(high: number, low: number, protocol: number): void {
    this.#lines++
    const place = (low ^ (low >>> 16)) & (REMEMBERED - 1)
    const is_known = this.#requests[2 * place] === high && this.#requests[2 * place + 1] === low
    if (is_known && this.#protocols[place] !== protocol) {
      this.#doubles++
      this.#requests[2 * place] = ~high
      return
    }
    this.#requests[2 * place] = high
    this.#requests[2 * place + 1] = low
    this.#protocols[place] = protocol
  }

  /** Share of kept lines that stand twice; null when a double log is not likely. */
  share(): number | null {
    const share = (2 * this.#doubles) / this.#lines
    return this.#lines >= MIN_LINES && share >= LIKELY_SHARE ? share : null
  }
}

/** The print of a text. */
export function printOf(text: string): Print {
  return { high: hashed(text, HIGH), low: hashed(text, LOW) }
}

/** The halves of the print of a text of ASCII that stands at bytes[start, end). */
export function highOfBytes(bytes: Uint8Array, start: number, end: number): number {
  return hashedBytes(bytes, start, end, HIGH)
}

/** The other half; see `highOfBytes`. */
export function lowOfBytes(bytes: Uint8Array, start: number, end: number): number {
  return hashedBytes(bytes, start, end, LOW)
}

/** One half of the print of a request: of its second, and of the same half of its client's, target's and agent's. */
export function joinHigh(second: number, client: number, target: number, agent: number): number {
  return mixed(mixed(mixed(second | 0, client, HIGH), target, HIGH), agent, HIGH)
}

/** The other half. */
export function joinLow(second: number, client: number, target: number, agent: number): number {
  return mixed(mixed(mixed(~second, client, LOW), target, LOW), agent, LOW)
}

const HIGH = 0x9e3779b1
const LOW = 0x85ebca6b

/** 32 bits of a text; its end takes part, so that no letter can move from one to the next. */
function hashed(text: string, factor: number): number {
  let hash = 0
  for (let at = 0; at < text.length; at += 1) hash = mixed(hash, text.charCodeAt(at), factor)
  return Math.imul(hash ^ 0x1_0000, factor)
}

/** The same of bytes. */
function hashedBytes(bytes: Uint8Array, start: number, end: number, factor: number): number {
  let hash = 0
  for (let at = start; at < end; at += 1) hash = mixed(hash, bytes[at] as number, factor)
  return Math.imul(hash ^ 0x1_0000, factor)
}

function mixed(before: number, value: number, factor: number): number {
  const hash = Math.imul(before ^ value, factor)
  return hash ^ (hash >>> 15)
}
