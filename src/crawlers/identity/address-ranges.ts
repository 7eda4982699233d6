/** Ranges of numbers, from the prefixes of published lists. */
import { type Address, addressText, emptyAddress, parseAddress } from './address.ts'

/** Ranges of one list version: pairs of first and last address, IPv4 as numbers, IPv6 as four words each. */
export interface Ranges {
  /** first, last, first, last, … */
  v4: Uint32Array
  /** Eight words per range: first, last. */
  v6: Uint32Array
}

/** A prefix in canonical form, such as `192.0.2.0/24`: the bits after its length are zero. */
export interface Prefix {
  family: 4 | 6
  bits: number
  text: string
}

/** Reads an address or a network in CIDR notation; null when the text is neither. */
export function readPrefix(text: string): Prefix | null {
  const [address = '', length, ...rest] = text.trim().split('/')
  const parsed = emptyAddress()
  if (rest.length > 0 || /[[\]]/.test(address) || !parseAddress(address, parsed)) return null
  if (parsed.family === 4 && address.includes(':')) return null
  const longest = parsed.family === 4 ? 32 : 128
  if (length !== undefined && !/^\d{1,3}$/.test(length)) return null
  const bits = length === undefined ? longest : Number(length)
  if (bits > longest) return null
  maskFrom(parsed, bits, 0)
  return { family: parsed.family, bits, text: `${addressText(parsed)}/${bits}` }
}

/** The ranges of prefixes in the canonical form of `readPrefix`. */
export function rangesOf(prefixes: readonly string[]): Ranges {
  const v4: number[] = []
  const v6: number[] = []
  const parsed = emptyAddress()
  for (const prefix of prefixes) {
    const [address = '', length = ''] = prefix.split('/')
    if (!parseAddress(address, parsed)) throw new Error(`${prefix} is stored as a prefix but is not one`)
    const bits = Number(length)
    const words = parsed.family === 4 ? v4 : v6
    for (const fill of [0, 0xffffffff]) {
      maskFrom(parsed, bits, fill)
      words.push(...(parsed.family === 4 ? [parsed.words[3] as number] : parsed.words))
    }
  }
  return { v4: Uint32Array.from(v4), v6: Uint32Array.from(v6) }
}

/** Sets every bit from `bits` on to that of `fill`. */
function maskFrom({ family, words }: Address, bits: number, fill: number): void {
  for (let word = family === 4 ? 3 : 0; word < 4; word++) {
    const kept = Math.min(32, Math.max(0, bits - (family === 4 ? 0 : word * 32)))
    const mask = kept === 0 ? 0 : (0xffffffff << (32 - kept)) >>> 0
    words[word] = (((words[word] as number) & mask) | (fill & ~mask)) >>> 0
  }
}
