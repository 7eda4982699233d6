/** The four kinds of path segment that are a secret or a person: e-mail address, token, JWT, card number (rules 4). */
import { isAssetExtension } from './path-class.ts'

/** Whether one segment of a path (no slash in it, unreserved escapes decoded) has to go. */
export function isSecret(segment: string): boolean {
  // Links that were copied together with blanks end in `%20`.
  const text = (segment.includes('%') ? decodeAscii(segment) : segment).trim()
  return holdsEmailAddress(text) || isCardNumber(text) || isToken(text) || isJsonWebToken(text)
}

/** From the last character before the `@` to the end of the domain. */
const EMAIL = /[^\s/@]@[^\s/@,;:<>()[\]"'&=|]+\.([\p{L}][\p{L}\d-]*[\p{L}\d])(?![\p{L}\d_@-]|\.[\p{L}\d])/gu

/**
 * Whether an e-mail address stands anywhere in it, also with a name or brackets around. An ending that belongs to files
 * is none of a domain: `logo@2x.png` is a picture.
 */
function holdsEmailAddress(text: string): boolean {
  if (!text.includes('@')) return false
  for (const [, ending] of text.matchAll(EMAIL)) if (!isAssetExtension(ending as string)) return true
  return false
}

/** Issuer prefixes: Visa, Mastercard, American Express, Diners, JCB, Discover, UnionPay, Maestro. */
const ISSUER =
  /^(?:4|5[0-8]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720|3[47]|30[0-5]|3095|36|3[89]|35(?:2[89]|[3-8])|6011|62|63|64[4-9]|65|67)/

function isCardNumber(text: string): boolean {
  return /^\d{13,19}$/.test(text) && ISSUER.test(text) && passesLuhn(text)
}

function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let place = 0; place < digits.length; place += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - place) - 48
    const doubled = place % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

const MIN_BITS = 4

/** Hex without separators, or base64 that is not words: three kinds of character, high entropy, no word in it. */
function isToken(text: string): boolean {
  if (text.length < 32) return false
  if (/^[0-9a-fA-F]+$/.test(text)) return true
  if (!/^[A-Za-z0-9+/_=-]+$/.test(text)) return false
  if (!/[A-Z]/.test(text) || !/[a-z]/.test(text) || !/[0-9]/.test(text)) return false
  return !text.split(/[-_+/=]/).some(isWord) && bitsPerCharacter(text) >= MIN_BITS
}

/** A run of four or more lower-case letters between separators; a capital may begin it, as in a title. */
function isWord(piece: string): boolean {
  return /^[A-Z]?[a-z]{4,}$/.test(piece)
}

function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) {
    const seen = counts.get(character)
    counts.set(character, seen === undefined ? 1 : seen + 1)
  }
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

/** Dot-separated base64url whose first part is a JSON object: signed (3 parts) and encrypted (5) tokens. */
function isJsonWebToken(text: string): boolean {
  if (!/^[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){2,4}$/.test(text)) return false
  const header = Buffer.from(text.slice(0, text.indexOf('.')), 'base64url')
    .toString('utf8')
    .trim()
  if (!header.startsWith('{')) return false
  try {
    JSON.parse(header)
    return true
  } catch {
    return false
  }
}

/** Decodes escapes of printable ASCII, so that `%40`, `%2B` and `%3D` hide nothing. Only for the tests here. */
function decodeAscii(segment: string): string {
  return segment.replace(/%([2-7][0-9A-F])/gi, (whole, hex: string) =>
    hex.toUpperCase() === '7F' ? whole : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
