/** Lists on web pages: as JSON in the text of the page (Amazon), or as plain text (Kagi). */
import { emptyAddress, isPrivate, parseAddress } from '../address.ts'
import { entriesOfJson } from './json-list.ts'
import type { RawList } from './raw-list.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
  '#34': '"',
  '#39': "'",
}

/** The JSON object with "prefixes" if the page has one, else every public address in its visible text. */
export function entriesOfPage(page: string): RawList {
  const visible = page
    .replace(/<!--[\s\S]*?-->/g, ' ')
    .replace(/<(script|style|svg|head)\b[\s\S]*?<\/\1\s*>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
  const document = jsonIn(visible)
  if (document !== null) return entriesOfJson(document)
  const entries = (visible.match(NETWORK) ?? []).filter(isPublic)
  return { entries, published_at: null, is_whole_as: false }
}

const NETWORK =
  /(?<![\w.:/-])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{1,4}(?::[0-9a-f]{0,4}){2,7})(?:\/\d{1,3})?(?![\w:/-]|\.\d)/gi

function isPublic(text: string): boolean {
  const address = emptyAddress()
  return parseAddress(text.split('/')[0] as string, address) && !isPrivate(address)
}

function jsonIn(text: string): unknown {
  const named = text.indexOf('"prefixes"')
  const start = text.lastIndexOf('{', named)
  if (named === -1 || start === -1) return null
  for (let depth = 0, at = start; at < text.length; at++) {
    if (text[at] === '{') depth++
    if (text[at] === '}' && --depth === 0) {
      try {
        return JSON.parse(text.slice(start, at + 1))
      } catch {
        return null
      }
    }
  }
  return null
}
