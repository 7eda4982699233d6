/**
 * Log text is handled as a binary string: one character per byte, 0 to 255. These functions turn a kept piece into real text.
 * Bytes that are not UTF-8 never get lost: %XX in a path, U+FFFD in a user agent.
 */
import { isUtf8 } from 'node:buffer'

/** The text of a user agent or another free field: UTF-8 when it holds high bytes, U+FFFD for what is not UTF-8. */
export function decodeText(binary: string): string {
  return HIGH_BYTE.test(binary) ? Buffer.from(binary, 'latin1').toString('utf8') : copied(binary)
}

/** The text of a request target: UTF-8 where it is valid, %XX for every other high byte and for control characters. */
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

/** Undoes what Apache (`\"`, `\\`, `\n`, `\xhh`) and nginx (`\xHH`) write for bytes that may not stand in a quoted field. */
export function unescapeField(field: string): string {
  return field.includes('\\') ? field.replace(ESCAPE, unescapeOne) : field
}

/** A binary string with its %XX undone until nothing changes, at most twice: some CDNs encode an agent two times. */
export function percentDecoded(binary: string): string {
  let text = binary
  for (let times = 0; times < 2 && PERCENT.test(text); times += 1) {
    text = text.replace(/%([0-9A-Fa-f]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
  return text
}

/** A real text as a binary string, the reverse of decodeText. */
export function toBinary(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

const PERCENT = /%[0-9A-Fa-f]{2}/
const HIGH_BYTE = /[\x80-\xff]/
const UNSAFE_IN_TARGET = /[^\x20-\x7e]/
const ESCAPE = /\\(?:x([0-9A-Fa-f]{2})|(["\\nrtbvf]))/g
const NAMED: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', v: '\v', f: '\f' }

function unescapeOne(_all: string, hex: string | undefined, name: string | undefined): string {
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
  return NAMED[name as string] ?? (name as string)
}

/** A slice keeps the whole chunk it was cut from alive, so kept text is copied out of it. */
function copied(binary: string): string {
  return Buffer.from(binary, 'latin1').toString('latin1')
}

function percent(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}

/** Length of the valid UTF-8 character at `at`; 0 when there is none or it is a control character. */
function sequenceSize(bytes: Buffer, at: number): number {
  const lead = bytes[at] as number
  if (lead < 0x80) return lead < 0x20 || lead === 0x7f ? 0 : 1
  const size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
  return at + size <= bytes.length && isUtf8(bytes.subarray(at, at + size)) ? size : 0
}
