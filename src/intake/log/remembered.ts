/** Values that repeat on line after line (user agents, host fields) are worked out once and remembered in bounded memory. */
import { normalizeHost } from '#sites/root-domain.ts'
import { decodeText, unescapeField } from './decode.ts'

/** Real text of the user agent field at text[start, end) as logged; empty for `-` and nothing. The same field gives the same string object. */
export function agentText(text: string, start: number, end: number): string {
  return agents.of(text, start, end)
}

/** Normalised host of a host field as logged, or null (rules 4). */
export function hostText(field: string): string | null {
  return hosts.of(field, 0, field.length)
}

/** Real text of a user agent without a log's quoting; empty for `-` and nothing. */
export function plainAgent(binary: string): string {
  return binary === '-' ? '' : decodeText(binary.slice(0, 4 * LONGEST_AGENT)).slice(0, LONGEST_AGENT)
}

/**
 * Two levels: a small table found by a few sampled characters, which spares hashing the whole field on most lines, and a map
 * for what collides there.
 */
class Remembered<Value> {
  readonly #near: (Entry<Value> | undefined)[] = new Array(NEAR).fill(undefined)
  readonly #known = new Map<string, Entry<Value>>()
  readonly #read: (field: string) => Value
  constructor(read: (field: string) => Value) {
    this.#read = read
  }

  of(text: string, start: number, end: number): Value {
    const slot = sampled(text, start, end)
    const near = this.#near[slot]
    const field = text.slice(start, end)
    if (near !== undefined && near.field === field) return near.value
    let entry = this.#known.get(field)
    if (entry === undefined) {
      // The key is a copy: a slice would keep the whole chunk it was cut from alive.
      entry = { field: Buffer.from(field, 'latin1').toString('latin1'), value: this.#read(field) }
      if (field.length > LONGEST) return entry.value
      if (this.#known.size >= MOST) this.#known.clear()
      this.#known.set(entry.field, entry)
    }
    this.#near[slot] = entry
    return entry.value
  }
}

interface Entry<Value> {
  field: string
  value: Value
}

const LONGEST = 1024
const MOST = 16_384
const NEAR = 8192

/** Slot of a field by its length and its last characters, where browsers write the numbers that tell them apart. */
function sampled(text: string, start: number, end: number): number {
  let hash = end - start
  for (let at = Math.max(start, end - 40); at < end - 8; at += 1) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0
  }
  return (hash ^ (hash >>> 13)) & (NEAR - 1)
}

/** Enough for every agent that anybody documents; the rest of a longer one is somebody's attempt to fill a store. */
const LONGEST_AGENT = 1024

const agents = new Remembered((field) => plainAgent(unescapeField(field.slice(0, 4 * LONGEST_AGENT))))
/** No host is longer, and turning letters into punycode takes time that grows with the square of their number. */
const LONGEST_HOST = 1_024
const hosts = new Remembered((field) => (field.length > LONGEST_HOST ? null : normalizeHost(decodeText(field))))
