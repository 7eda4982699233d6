/** `path/v1`: the one form in which all paths are kept: no query, no secrets, no persons (decisions 3.6). */
import { isSecret } from './secret-segments.ts'

export interface PathV1 {
  /** At most 1,024 characters; begins with `/` unless the target was `*` or a relative one. */
  path: string
  /** `redacted` when a segment was replaced by `:redacted` or the path was cut. */
  fidelity: 'exact' | 'redacted'
}

/** Longest path that is kept (rules 4). */
export const PATH_LIMIT = 1024

/**
 * The path of a request target (rules 4): query and fragment dropped, escapes of unreserved characters decoded, hex of
 * the others in upper case, invalid escapes, letter case and slashes kept. It is idempotent.
 */
export function pathV1(target: string): PathV1 {
  // What lies beyond is cut off anyway, and decoding must not take long over a mebibyte of escapes ("a long path").
  const bare = withoutQuery(target).slice(0, MAX_READ_LENGTH)
  const decoded = bare.includes('%') ? decodeUnreserved(bare) : bare
  const redacted = redactSegments(decoded)
  const path = redacted.length > PATH_LIMIT ? cut(redacted) : redacted
  return { path: path === '' ? '/' : path, fidelity: path === decoded ? 'exact' : 'redacted' }
}

function withoutQuery(target: string): string {
  const end = target.search(/[?#]/)
  return end < 0 ? target : target.slice(0, end)
}

/** An escape takes three characters for one, so this still leaves more than PATH_LIMIT. */
const MAX_READ_LENGTH = 8_192

const UNRESERVED = /[A-Za-z0-9._~-]/
const ESCAPE = /^[0-9A-Fa-f]{2}$/

function decodeUnreserved(path: string): string {
  let out = ''
  for (let at = 0; at < path.length; ) {
    const hex = path.charAt(at) === '%' ? path.slice(at + 1, at + 3) : ''
    if (!ESCAPE.test(hex)) {
      out += path.charAt(at)
      at += 1
      continue
    }
    const character = String.fromCharCode(Number.parseInt(hex, 16))
    out += UNRESERVED.test(character) && !completesEscape(out, character) ? character : `%${hex.toUpperCase()}`
    at += 3
  }
  return out
}

/** TRICKY: `%%32%65`, decoded to `%2e`, would decode again to `.`; so what finishes a stray `%` stays ("stable"). */
function completesEscape(out: string, character: string): boolean {
  return /[0-9A-Fa-f]/.test(character) && (out.endsWith('%') || /%[0-9A-Fa-f]$/.test(out))
}

function redactSegments(path: string): string {
  if (!MAY_HOLD_SECRET.test(path)) return path
  return path
    .split('/')
    .map((segment) => (isSecret(segment) ? REDACTED : segment))
    .join('/')
}

/** What stands for a segment that must not be kept. */
export const REDACTED = ':redacted'
/** An `@`, a card number's 13 characters or a token's 32 in one segment: without them there is nothing to test. */
const MAY_HOLD_SECRET = /@|%40|[^/]{13}/

/** Cutting may leave a last segment that looks like a secret only now; it goes too, so that the result is stable. */
function cut(path: string): string {
  const kept = withoutHalfCharacter(path.slice(0, PATH_LIMIT))
  const last = kept.lastIndexOf('/') + 1
  return isSecret(kept.slice(last)) ? `${kept.slice(0, last)}${REDACTED}`.slice(0, PATH_LIMIT) : kept
}

function withoutHalfCharacter(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text
}
