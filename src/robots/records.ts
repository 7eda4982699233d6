/** The lines of a robots.txt as records, in linear time whatever they hold (RFC 9309 2.2). */

export interface RobotsRecord {
  /** Lower case, as written; `user-agent`, `allow` and `disallow` for all their accepted spellings. */
  key: string
  /** Octets, without the white space around them and without a comment. */
  value: string
  /** From 1; CR, LF and CRLF each end a line. */
  line: number
}

/** Misspellings that Google's published parser accepts; RFC 9309 2.2.4 allows crawlers to be lenient. */
const SPELLINGS: readonly (readonly [prefix: string, key: string])[] = [
  ...['user-agent', 'useragent', 'user agent'].map((prefix) => [prefix, 'user-agent'] as const),
  ['allow', 'allow'],
  ...['disallow', 'dissallow', 'dissalow', 'disalow', 'diasllow', 'disallaw'].map(
    (prefix) => [prefix, 'disallow'] as const,
  ),
]

/** `octets`: one character for each byte, without a byte order mark. */
export function* readRobotsRecords(octets: string): Generator<RobotsRecord> {
  let line = 0
  for (const text of linesOf(octets)) {
    line++
    const record = readRecord(text)
    if (record !== null) yield { ...record, line }
  }
}

function* linesOf(octets: string): Generator<string> {
  const placeOf = (octet: string, from: number) => {
    const place = octets.indexOf(octet, from)
    return place === -1 ? octets.length : place
  }
  let carriageReturn = -1
  let lineFeed = -1
  for (let at = 0; at <= octets.length; ) {
    // Each is looked for once: a file of CR alone would be searched to its end for a LF at every line.
    if (carriageReturn < at) carriageReturn = placeOf('\r', at)
    if (lineFeed < at) lineFeed = placeOf('\n', at)
    const end = Math.min(carriageReturn, lineFeed)
    yield octets.slice(at, end)
    at = end + (lineFeed === carriageReturn + 1 ? 2 : 1)
  }
}

/** A line without a colon counts when it is two words, as Google reads it. */
function readRecord(line: string): Omit<RobotsRecord, 'line'> | null {
  const comment = line.indexOf('#')
  const text = trimBlanks(comment === -1 ? line : line.slice(0, comment))
  if (text === '') return null
  const colon = text.indexOf(':')
  if (colon !== -1) return { key: keyOf(trimBlanks(text.slice(0, colon))), value: trimBlanks(text.slice(colon + 1)) }
  const [key = '', value = '', ...more] = text.split(/[ \t]+/, 3)
  return value === '' || more.length > 0 ? null : { key: keyOf(key), value }
}

function keyOf(written: string): string {
  const key = written.slice(0, MAX_KEY_LENGTH).toLowerCase()
  return SPELLINGS.find(([prefix]) => key.startsWith(prefix))?.[1] ?? key
}

const MAX_KEY_LENGTH = 64

/** Blanks and tabs only: `trim` would take 0xA0 away, which is half of a character in UTF-8. */
function trimBlanks(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && isBlank(text.charCodeAt(from))) from++
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--
  return text.slice(from, to)
}

const isBlank = (code: number) => code === 0x20 || code === 0x09
