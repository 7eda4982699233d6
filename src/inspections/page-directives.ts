/** Directives of a page for crawlers: meta robots, X-Robots-Tag, Content-Usage (rules 8.3, 8.5). */

import { builtInDocument } from '#crawlers/registry/built-in.ts'
import type { ObservedResponse } from './challenge-signals.ts'
import type { PageDirectives } from './inspection.ts'

const MAX_PARSED_BYTES = 1024 ** 2
const MAX_VALUES = 50
const MAX_VALUE_LENGTH = 500

/** `content_signal` is the header; the directive in robots.txt is reported with its rules. */
export function findPageDirectives({ header_lines, body }: ObservedResponse): PageDirectives {
  const lines = (name: string) => (header_lines[name] ?? []).slice(0, MAX_VALUES)
  const content_type = header_lines['content-type']?.[0]?.trim() ?? ''
  const text = textOf(body.subarray(0, MAX_PARSED_BYTES), content_type)
  return {
    meta_robots: isHtml(text, content_type) ? metaRobots(text) : [],
    x_robots_tag: lines('x-robots-tag').flatMap(readRobotsTag).slice(0, MAX_VALUES),
    content_signal: joined(lines('content-signal')),
    content_usage: joined(lines('content-usage')),
  }
}

/** The text of a page: as UTF-8, because most encodings include ASCII, except UTF-16. */
function textOf(body: Buffer, content_type: string): string {
  const [first, second] = body
  const declared = /;\s*charset\s*=\s*["']?(utf-16(?:le|be)?)\b/i.exec(content_type)?.[1]?.toLowerCase()
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(body)
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(body)
  return declared === undefined ? body.toString('utf8') : new TextDecoder(declared).decode(body)
}

/** A page without a content type is HTML if it begins like it, as for crawlers and browsers. */
const isHtml = (text: string, content_type: string): boolean =>
  content_type === '' ? HTML_BEGINNING.test(text) : /html/i.test(content_type)

const HTML_BEGINNING = /^\ufeff?\s*<(?:!--|(?:!doctype html|html|head|meta|title|script|style|body)\b)/i

const joined = (lines: readonly string[]) => (lines.length === 0 ? null : lines.join(', ').slice(0, MAX_VALUE_LENGTH))

/** Rules that contain a colon: the text before it is not an agent. */
const VALUED_RULES: ReadonlySet<string> = new Set([
  'max-snippet',
  'max-image-preview',
  'max-video-preview',
  'unavailable_after',
])

/** One header line: `[agent:] rule, rule, agent2: rule`. An agent applies until the next one or the end of the line. */
export function readRobotsTag(line: string): PageDirectives['x_robots_tag'] {
  const found: PageDirectives['x_robots_tag'] = []
  let rest = line.slice(0, MAX_VALUE_LENGTH).trim()
  let agent: string | null = null
  while (rest !== '') {
    const named = /^([A-Za-z0-9_*-]+)\s*:\s*/.exec(rest)
    if (named !== null && !VALUED_RULES.has((named[1] as string).toLowerCase())) {
      agent = named[1] as string
      rest = rest.slice(named[0].length)
      continue
    }
    const [rule] = (UNAVAILABLE_AFTER.exec(rest) ?? /^[^,]*/.exec(rest)) as RegExpExecArray
    const directive = rule.trim().toLowerCase()
    const last = found.at(-1)
    if (directive !== '' && last !== undefined && last.agent === agent) last.directives.push(directive)
    else if (directive !== '') found.push({ agent, directives: [directive] })
    rest = rest.slice(rule.length).replace(/^[\s,]+/, '')
  }
  return found
}

/** The date of `unavailable_after` may contain commas: `Wed, 03 Dec 2025 13:09:53 GMT`. */
const UNAVAILABLE_AFTER = /^unavailable_after\s*:\s*(?:[A-Za-z]{3,9},\s*)?[^,]*/i

/** Contents of robots metas in the head, those that name a crawler as `name: content`. */
function metaRobots(html: string): string[] {
  const found: string[] = []
  for (const tag of headTags(html)) {
    if (found.length === MAX_VALUES) break
    const name = attributeValue(NAME, tag)?.toLowerCase()
    const content = name === undefined ? undefined : attributeValue(CONTENT, tag)
    if (name === undefined || content === undefined) continue
    const value = content.replace(/\s+/g, ' ').trim().slice(0, MAX_VALUE_LENGTH)
    if (name === 'robots') found.push(value)
    else if (isCrawler(name)) found.push(`${name}: ${value}`)
  }
  return found
}

/** Not every crawler has `bot` in its name: Bytespider, Google-Extended. */
const isCrawler = (name: string) => /^[a-z0-9_-]*bot[a-z0-9_-]*$/.test(name) || CRAWLERS.has(name)

const CRAWLERS: ReadonlySet<string> = new Set(
  builtInDocument.entries.flatMap(({ robots_token }) => robots_token?.toLowerCase() ?? []),
)

/** The meta tags before the body; text inside comments, scripts and styles is skipped. */
function* headTags(html: string): Generator<string> {
  const next = /<(!--|meta\b|script\b|style\b|noscript\b|title\b|body\b|\/head\b)/gi
  for (let found = next.exec(html); found !== null; found = next.exec(html)) {
    const name = (found[1] as string).toLowerCase()
    if (name === 'body' || name === '/head') return
    const end = html.indexOf(name === '!--' ? '-->' : '>', next.lastIndex)
    if (end === -1) return
    if (name === 'meta') yield html.slice(found.index, end + 1)
    next.lastIndex = name === '!--' || name === 'meta' ? end : endOfElement(html, name, end)
  }
}

function endOfElement(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}\\b`, 'gi')
  closing.lastIndex = from
  return closing.exec(html)?.index ?? html.length
}

// Made once: a hostile page has 170,000 tags.
const NAME = attribute('name')
const CONTENT = attribute('content')

function attribute(name: string): RegExp {
  return new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i')
}

function attributeValue(attribute: RegExp, tag: string): string | undefined {
  const found = attribute.exec(tag)
  return found?.[1] ?? found?.[2] ?? found?.[3]
}
