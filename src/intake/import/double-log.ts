/** Detects double logs: if a front and a back server write one log, each request is in it twice. */

/** How many lines are remembered; a line and its double are close together. */
const MAX_LINES = 16_384
const MIN_LINES = 20
const LIKELY_SHARE = 0.2

/** A 64-bit hash of a text. */
export interface TextHash {
  high: number
  low: number
}

/** Detects requests that one client and agent repeat within a second for one target under different protocols. */
export class DoubleLog {
  #lines = 0
  #doubles = 0
  /**
   * Hashes of requests and of their protocols. The hash of a request gives its index, so that a later request may
   * replace an earlier one: this takes little memory, and is exact enough for a warning.
   */
  readonly #requests = new Int32Array(2 * MAX_LINES)
  readonly #protocols = new Int32Array(MAX_LINES)

  /**
   * Adds a line by both halves of the hash of its request (`joinHashesHigh`, `joinHashesLow`), and by that of its
   * protocol.
   */
  add(high: number, low: number, protocol: number): void {
    this.#lines++
    const index = (low ^ (low >>> 16)) & (MAX_LINES - 1)
    const is_known = this.#requests[2 * index] === high && this.#requests[2 * index + 1] === low
    if (is_known && this.#protocols[index] !== protocol) {
      this.#doubles++
      this.#requests[2 * index] = ~high
      return
    }
    this.#requests[2 * index] = high
    this.#requests[2 * index + 1] = low
    this.#protocols[index] = protocol
  }

  /** The share of kept lines that occur twice; null: the log is probably not double. */
  share(): number | null {
    const share = (2 * this.#doubles) / this.#lines
    return this.#lines >= MIN_LINES && share >= LIKELY_SHARE ? share : null
  }
}

/** The hash of a text. */
export function hashText(text: string): TextHash {
  return { high: hashed(text, HIGH), low: hashed(text, LOW) }
}

/** The high half of the hash of the ASCII text in bytes[start, end). */
export function hashBytesHigh(bytes: Uint8Array, start: number, end: number): number {
  return hashedBytes(bytes, start, end, HIGH)
}

/** The low half of that hash. */
export function hashBytesLow(bytes: Uint8Array, start: number, end: number): number {
  return hashedBytes(bytes, start, end, LOW)
}

/** The high half of the hash of a request, from its second and the high halves of client, target and agent. */
export function joinHashesHigh(second: number, client: number, target: number, agent: number): number {
  return mixed(mixed(mixed(second | 0, client, HIGH), target, HIGH), agent, HIGH)
}

/** The low half of that hash, from the low halves. */
export function joinHashesLow(second: number, client: number, target: number, agent: number): number {
  return mixed(mixed(mixed(~second, client, LOW), target, LOW), agent, LOW)
}

const HIGH = 0x9e3779b1
const LOW = 0x85ebca6b

/** A 32-bit hash of a text, including its end, so that joined texts with another boundary differ. */
function hashed(text: string, factor: number): number {
  let hash = 0
  for (let at = 0; at < text.length; at += 1) hash = mixed(hash, text.charCodeAt(at), factor)
  return Math.imul(hash ^ 0x1_0000, factor)
}

/** Like `hashed`, for bytes. */
function hashedBytes(bytes: Uint8Array, start: number, end: number, factor: number): number {
  let hash = 0
  for (let at = start; at < end; at += 1) hash = mixed(hash, bytes[at] as number, factor)
  return Math.imul(hash ^ 0x1_0000, factor)
}

function mixed(before: number, value: number, factor: number): number {
  const hash = Math.imul(before ^ value, factor)
  return hash ^ (hash >>> 15)
}
