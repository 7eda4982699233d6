/** A vendor's published list: JSON of several shapes, plain text, CSV or a web page (registry notes, ip-ranges). */

import { createHash } from 'node:crypto'
import { formatCount } from '#quantities.ts'
import { type Prefix, readPrefix } from '../address-ranges.ts'
import { entriesOfJson } from './json-list.ts'
import { entriesOfPage } from './page-list.ts'
import { type RawList, refuse } from './raw-list.ts'

export interface PublishedList {
  /** In canonical form, sorted, each once. */
  prefixes: string[]
  /** Hash of the prefixes: a document with only a new date is the same list. */
  sha256: string
  /** The date in the document, epoch milliseconds. */
  published_at: number | null
  /** The document states that it is a whole autonomous system: it proves nothing (rules 4). */
  is_whole_as: boolean
}

export const MAX_LIST_BYTES = 8 << 20
const MAX_PREFIXES = 100_000
/** The widest network that is accepted: narrower than a /8 of IPv4 and a provider's whole allocation of IPv6. */
const WIDEST_V4_BITS = 9
const WIDEST_V6_BITS = 20
/** The most addresses in all networks of a list: those of one /8. */
const MAX_V4_ADDRESSES = 2 ** 24

/**
 * Reads a document. @throws Refusal not_readable: an unknown format, no address, an invalid entry, or networks so wide
 * that many other clients would count as the crawler.
 */
export function readList(bytes: Uint8Array): PublishedList {
  if (bytes.length > MAX_LIST_BYTES) refuse(`it is longer than ${MAX_LIST_BYTES >> 20} MiB`)
  // Vendors' files have carried byte order marks and zero-width characters (registry notes).
  const text = new TextDecoder()
    .decode(bytes)
    .replace(/[\u200b-\u200f\u2060\ufeff\0]/g, '')
    .trim()
  if (text === '') refuse('it is empty')
  const { entries, published_at, is_whole_as } = readShape(text)
  if (entries.length === 0) refuse('it contains no address')
  if (entries.length > MAX_PREFIXES) refuse(`it contains more than ${formatCount(MAX_PREFIXES)} networks`)
  const prefixes = entries.map(checkedPrefix)
  refuseFlood(prefixes)
  const unique = [...new Set(prefixes.map((prefix) => prefix.text))].sort()
  return {
    prefixes: unique,
    sha256: createHash('sha256').update(unique.join('\n')).digest('hex'),
    published_at,
    is_whole_as,
  }
}

function readShape(text: string): RawList {
  if (text.startsWith('{') || text.startsWith('[')) return entriesOfJson(parseJson(text))
  if (/^<(!doctype|html|\?xml|!--)/i.test(text)) return entriesOfPage(text)
  return { entries: entriesOfLines(text), published_at: null, is_whole_as: false }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return refuse('it begins like JSON but is not valid JSON')
  }
}

/** One network per line, with comments after # or ;. Of a CSV, the first field of each line except the header. */
function entriesOfLines(text: string): string[] {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.replace(/[#;].*$/, '').trim())
    .filter((line) => line !== '')
  const fields = lines.map((line) => (line.split(',')[0] as string).trim().replace(/^"(.*)"$/, '$1'))
  const [first] = fields
  const hasHeader = first !== undefined && lines[0]?.includes(',') && /^[a-z_ -]+$/i.test(first)
  return hasHeader ? fields.slice(1) : fields
}

function checkedPrefix(entry: string): Prefix {
  const prefix = readPrefix(entry)
  const shown = JSON.stringify(entry.slice(0, 60))
  if (prefix === null) return refuse(`${shown} is neither an address nor a network such as 192.0.2.0/24`)
  if (prefix.bits < (prefix.family === 4 ? WIDEST_V4_BITS : WIDEST_V6_BITS)) {
    refuse(`the network ${shown} is far too wide for one vendor's crawlers`)
  }
  return prefix
}

function refuseFlood(prefixes: readonly Prefix[]): void {
  const v4 = prefixes.filter(({ family }) => family === 4).map(({ bits }) => 2 ** (32 - bits))
  const addresses = v4.reduce((sum, size) => sum + size, 0)
  if (addresses > MAX_V4_ADDRESSES) {
    refuse(
      `its networks contain ${addresses.toLocaleString('en')} addresses, more than a whole /8: far too many for one vendor's crawlers`,
    )
  }
}
