/** The beginning of a malformed line, without personal data and control characters, never stored (rules 4, 7). */
import { excerpt, MAX_EXCERPT_CHARACTERS, withoutInvisible } from '#foreign-text.ts'

const READ = 4 * MAX_EXCERPT_CHARACTERS

/** Masks addresses, e-mail addresses and query strings; removes control and bidi characters; cuts at 120 characters. */
export function maskedExcerpt(line: string): string {
  const text = Buffer.from(line.slice(0, READ), 'latin1').toString('utf8')
  // The last word is dropped, because half an address would not be recognised.
  const whole = line.length > READ ? text.replace(/\S*$/, '…') : text
  const masked = withoutInvisible(whole, '·')
    .replace(/[^\s"@]+(?:@|%40)[^\s"@]+/gi, '[e-mail]')
    .replace(/\?[^\s"]*/g, '?[query]')
    .replace(/(?<![a-z0-9])(?:[0-9a-f]*:)[0-9a-f:.]*/gi, (run) => (isAddress6(run) ? '[address]' : run))
    .replace(/(?<!\d)\d{1,3}(?:[.-]\d{1,3}){3}(?!\d)/g, '[address]')
  return excerpt(masked)
}

/** Whether a text is an IPv6 address. A time has colons too, but neither two in a row nor five. */
function isAddress6(run: string): boolean {
  return run.includes('::') || run.split(':').length > 5
}
