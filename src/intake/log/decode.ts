/**
 * Log text is handled as a binary string: one character per byte, 0 to 255. These functions decode a part of it to real
 * text. Bytes that are not UTF-8 become %XX in a path, and U+FFFD in a user agent.
 */
import { isUtf8 } from 'node:buffer'

/** The text of a user agent or another free field, decoded as UTF-8; bytes that are not UTF-8 become U+FFFD. */
export function decodeText(binary: string): string {
  return HIGH_BYTE.test(binary) ? Buffer.from(binary, 'latin1').toString('utf8') : copied(binary)
}

/** The text of a request target, decoded as UTF-8; invalid bytes and control characters become %XX. */
export function decodeTarget(binary: string): string {
  if (!UNSAFE_IN_TARGET.test(binary)) return copied(binary)
  const bytes = Buffer.from(binary, 'latin1')
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const size = sequenceSize(bytes, at)
    text += size === 0 ? percent(bytes[at] as number) : bytes.toString('utf8', at, at + size)
    at += size === 0 ? 1 : size
  }
  return text
}

/** Undoes the escapes of Apache (`\"`, `\\`, `\n`, `\xhh`) and nginx (`\xHH`) in quoted fields. */
export function unescapeField(field: string): string {
  if (!field.includes('\\')) return field
  const bytes = Buffer.from(field, 'latin1')
  let size = 0
  for (let at = 0; at < bytes.length; size += 1) {
    const length = bytes[at] === BACKSLASH ? escapeLength(bytes, at) : 1
    bytes[size] = length === 1 ? (bytes[at] as number) : escapedByte(bytes, at)
    at += length
  }
  return bytes.toString('latin1', 0, size)
}

/**
 * Decodes %XX in a user agent until nothing changes, at most twice, because some CDNs encode an agent twice. The text
 * is cut far beyond the longest stored agent.
 */
export function percentDecoded(binary: string): string {
  let text = binary.slice(0, MAX_ENCODED_LENGTH)
  for (let times = 0; times < 2 && PERCENT.test(text); times += 1) {
    text = text.replace(/%([0-9A-Fa-f]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
  return text
}

/** IIS writes a plus for a blank and for a plus. Before a URL, and after a blank or a bracket, it was a plus. */
export function plusDecoded(text: string): string {
  return text.slice(0, MAX_ENCODED_LENGTH).replace(/\+(?!(?<=[+(]\+)https?:)/g, ' ')
}

/** A real text as a binary string, the reverse of decodeText and of decodeKeepingBytes. */
export function toBinary(text: string): string {
  if (text.isWellFormed()) return Buffer.from(text, 'utf8').toString('latin1')
  const pieces = text.split(LONE_BYTE)
  return pieces.map((piece, at) => (at % 2 === 1 ? byteOf(piece) : Buffer.from(piece).toString('latin1'))).join('')
}

/**
 * Text of bytes in which each byte that is not UTF-8 becomes half of a surrogate pair, U+DC80 to U+DCFF, as Python's
 * `surrogateescape` makes it: JSON can be parsed then, and a target does not lose the byte (see toBinary).
 */
export function decodeKeepingBytes(binary: string): string {
  const bytes = Buffer.from(binary, 'latin1')
  if (isUtf8(bytes)) return bytes.toString('utf8')
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] as number
    const size = lead < 0x80 ? 1 : sequenceSize(bytes, at)
    text += size === 0 ? String.fromCharCode(KEPT_BYTES + lead) : bytes.toString('utf8', at, at + size)
    at += Math.max(1, size)
  }
  return text
}

/** The byte that half of a surrogate pair stands for, as a binary string. */
function byteOf(half: string): string {
  return String.fromCharCode(half.charCodeAt(0) - KEPT_BYTES)
}

const KEPT_BYTES = 0xdc00
/** Half of a surrogate pair without its other half. */
const LONE_BYTE = /([\udc80-\udcff])/u

/** The most characters of an encoded agent: fifteen may encode one (UTF-8, encoded twice), and 1,024 are stored. */
export const MAX_ENCODED_LENGTH = 16_384
const PERCENT = /%[0-9A-Fa-f]{2}/
const HIGH_BYTE = /[\x80-\xff]/
const UNSAFE_IN_TARGET = /[^\x20-\x7e]/
const BACKSLASH = 92
const LOWER_X = 120
/** By the byte after the backslash. */
const NAMED = new Map([...'"\\nrtbvf'].map((name, at) => [name.charCodeAt(0), '"\\\n\r\t\b\v\f'.charCodeAt(at)]))

/** Length of the escape at a backslash; 1 if the backslash is a character of its own. */
function escapeLength(bytes: Buffer, at: number): number {
  const next = bytes[at + 1] as number
  if (NAMED.has(next)) return 2
  return next === LOWER_X && !Number.isNaN(hexDigit(bytes[at + 2]) + hexDigit(bytes[at + 3])) ? 4 : 1
}

function escapedByte(bytes: Buffer, at: number): number {
  return NAMED.get(bytes[at + 1] as number) ?? hexDigit(bytes[at + 2]) * 16 + hexDigit(bytes[at + 3])
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return Number.NaN
  if (byte >= 48 && byte <= 57) return byte - 48
  const letter = byte | 0x20
  return letter >= 97 && letter <= 102 ? letter - 87 : Number.NaN
}

/** Copies a text, because a slice would hold the memory of the whole chunk. */
function copied(binary: string): string {
  return Buffer.from(binary, 'latin1').toString('latin1')
}

function percent(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}

/** Length of the valid UTF-8 character at `at`; 0 if there is none, or a control character. */
function sequenceSize(bytes: Buffer, at: number): number {
  const lead = bytes[at] as number
  if (lead < 0x80) return lead < 0x20 || lead === 0x7f ? 0 : 1
  const size = sizeByLead(lead)
  return at + size <= bytes.length && isUtf8(bytes.subarray(at, at + size)) ? size : 0
}

/** The length that the first byte of a character of several bytes announces. */
function sizeByLead(lead: number): number {
  if (lead >= 0xf0) return 4
  return lead >= 0xe0 ? 3 : 2
}
