/**
 * Paths as octets: one character for each byte. RFC 9309 2.2.2 compares octets after percent-encoding, so rules and
 * targets are written in the same normal form first.
 */

/** The bytes of a text in UTF-8. */
export function octetsOf(text: string): string {
  return BEYOND_ASCII.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text
}

/** Readable again; octets that are not UTF-8 become U+FFFD. */
export const decodeOctets = (octets: string): string => Buffer.from(octets, 'latin1').toString('utf8')

const STRAY_PERCENT = /%(?![0-9A-Fa-f]{2})/g
/** Escapes of unreserved characters, which are decoded, and those with lower-case digits. */
const ESCAPE_TO_CHANGE =
  /%(?:2[DEde]|3[0-9]|4[1-9A-Fa-f]|5[0-9AFaf]|6[1-9A-Fa-f]|7[0-9AEae]|[0-9A-F][a-f]|[a-f][0-9A-Fa-f])/g
const UNRESERVED = /[A-Za-z0-9\-._~]/
const BEYOND_ASCII = /[^\0-\x7f]/
/** Runs of octets that a URL does not hold as they are (RFC 3986), and of those that have a meaning in rules. */
const ILLEGAL_IN_TARGETS = /[^A-Za-z0-9\-._~/?:@!&'()+,;=[\]%]+/g
const ILLEGAL_IN_PATTERNS = /[^A-Za-z0-9\-._~/?:@!&'()+,;=[\]%*]+/g

/** The path and query of a request, in which `*` and `$` stand for themselves. */
export const normaliseTarget = (octets: string): string => normalise(octets, ILLEGAL_IN_TARGETS)

/** The pattern of a rule, whose `*` stays; a `$` at its end stays too, any other stands for itself. */
export function normalisePattern(octets: string): string {
  if (!octets.endsWith('$')) return normalise(octets, ILLEGAL_IN_PATTERNS)
  return `${normalise(octets.slice(0, -1), ILLEGAL_IN_PATTERNS)}$`
}

/**
 * Decodes escapes of unreserved characters, writes the others in upper case, and encodes all that is not legal in a
 * URL. Applying it twice changes nothing more, because a `%` that begins no escape becomes `%25`.
 */
function normalise(octets: string, illegal: RegExp): string {
  const encoded = octets.replace(STRAY_PERCENT, '%25').replace(illegal, escapeRun)
  return encoded.includes('%') ? encoded.replace(ESCAPE_TO_CHANGE, normaliseEscape) : encoded
}

function normaliseEscape(escaped: string): string {
  const octet = String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
  return UNRESERVED.test(octet) ? octet : escaped.toUpperCase()
}

const escapeRun = (run: string): string =>
  Buffer.from(run, 'latin1').toString('hex').toUpperCase().replace(/../g, '%$&')
