/** The beginning of a malformed line as it may be shown: never stored, and nothing personal or active in it (rules 4, 7). */

const LONGEST = 120

/** Masks addresses, e-mail addresses and query strings; removes control and bidi characters; cuts at 120 characters. */
export function maskedExcerpt(line: string): string {
  const text = Buffer.from(line.slice(0, 4 * LONGEST), 'latin1').toString('utf8')
  const masked = text
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '·')
    .replace(/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, '[address]')
    .replace(/(?:[0-9a-f]{0,4}:){3,}[0-9a-f]{0,4}(?![\d:])/gi, '[address]')
    .replace(/[^\s"@]+@[^\s"@]+\.[^\s"@]+/g, '[e-mail]')
    .replace(/\?[^\s"]*/g, '?[query]')
  return masked.length > LONGEST ? `${masked.slice(0, LONGEST - 1)}…` : masked
}
