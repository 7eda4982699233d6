/**
 * Parts of an answer in which names do not count: URLs, code, and markup (account API 4). Linear, whatever the text.
 */
import { parse } from 'tldts'

/** UTF-16 units of the stored text, `to` exclusive. */
export interface TextSpan {
  from: number
  to: number
}

export interface MaskedSpan extends TextSpan {
  /** In URLs and code domains still count; in markup nothing does. */
  kind: 'url' | 'code' | 'markup'
}

/** Where a masked part may begin. */
const STARTS = /`+|~{3,}|<|\//g
const TAG = /<\/?[a-z][\w:-]*(?:\s[^<>]*)?\/?>/iy
const SCHEME_BEFORE = /(?:^|[^a-z0-9+.-])([a-z][a-z0-9+.-]{1,30}):$/i
/** A URL ends at white space, brackets and quotation marks, and at punctuation of East Asian texts. */
const URL_END = /[\s<>"`|\\^{}[\]“”„«»‹›\u3000-\u3020\uff00-\uff0f\uff1a-\uff20]/
const HOST_UNIT = /[\p{L}\p{N}.-]/u
const MAX_HOST_LENGTH = 253

/** The masked parts of a text, in order and without overlaps. */
export function findMaskedSpans(text: string): MaskedSpan[] {
  const spans: MaskedSpan[] = []
  const closers = new CodeClosers(text)
  let comments_end = true
  STARTS.lastIndex = 0
  for (let found = STARTS.exec(text); found !== null; found = STARTS.exec(text)) {
    const [mark] = found
    const from = found.index
    let span: MaskedSpan | null = null
    if (mark === '/') span = urlAt(text, from, spans.at(-1)?.to)
    else if (mark !== '<') span = closers.codeAt(mark, from)
    else if (text.startsWith('<!--', from) && comments_end) {
      const end = text.indexOf('-->', from)
      comments_end = end !== -1
      span = comments_end ? { kind: 'markup', from, to: end + 3 } : null
    } else span = tagAt(text, from)
    if (span === null) continue
    spans.push(span)
    STARTS.lastIndex = span.to
  }
  return spans
}

function tagAt(text: string, from: number): MaskedSpan | null {
  TAG.lastIndex = from
  return TAG.test(text) ? { kind: 'markup', from, to: TAG.lastIndex } : null
}

/** The URL whose first slash is at `slash`: with a scheme, or a host with a known top-level domain before its path. */
function urlAt(text: string, slash: number, floor: number | undefined): MaskedSpan | null {
  const least = Math.max(floor === undefined ? 0 : floor, slash - MAX_HOST_LENGTH)
  if (text.startsWith('//', slash) && text[slash - 1] === ':') {
    const scheme = SCHEME_BEFORE.exec(text.slice(Math.max(least, slash - 33), slash))
    if (scheme === null) return null
    return { kind: 'url', from: slash - 1 - (scheme[1] as string).length, to: endOfUrl(text, slash) }
  }
  let from = slash
  while (from > least && HOST_UNIT.test(text.charAt(from - 1))) from -= 1
  if (!isHost(text.slice(from, slash))) return null
  return { kind: 'url', from, to: endOfUrl(text, slash) }
}

/** A closing bracket ends a URL unless it was opened within; punctuation at the end belongs to the sentence. */
function endOfUrl(text: string, from: number): number {
  let depth = 0
  let end = from
  for (; end < text.length; end++) {
    const unit = text.charAt(end)
    if (unit === '(') depth += 1
    else if (unit === ')' && --depth < 0) break
    else if (URL_END.test(unit)) break
  }
  while (end > from + 1 && ".,;:!?'’*_".includes(text.charAt(end - 1))) end -= 1
  return end
}

/** Whether a token is a host name with a registrable domain under a public top-level domain. */
export function isHost(token: string): boolean {
  if (!token.includes('.') || token.length > MAX_HOST_LENGTH) return false
  const { domain, isIcann } = parse(token, { extractHostname: false, mixedInputs: false })
  return domain !== null && isIcann === true
}

/**
 * Pairs of backticks or tildes: an opening run is closed by the next run of its own length, or for fences a longer one.
 */
class CodeClosers {
  readonly #text: string
  #runs: Map<string, number[]> | undefined

  constructor(text: string) {
    this.#text = text
  }

  codeAt(mark: string, from: number): MaskedSpan | null {
    if (mark.length >= 3 && this.#startsLine(from))
      return { kind: 'code', from, to: this.#fenceEnd(mark, from + mark.length) }
    if (mark.startsWith('~')) return null
    const close = this.#next(mark, from + mark.length)
    return close === undefined ? null : { kind: 'code', from, to: close + mark.length }
  }

  /** A fence is indented by three spaces at most. */
  #startsLine(from: number): boolean {
    const before = this.#text.slice(Math.max(0, from - 4), from)
    return (from < 4 ? /(?:^|\n) *$/ : /\n {0,3}$/).test(before)
  }

  #fenceEnd(mark: string, from: number): number {
    const fence = new RegExp(`\\n {0,3}${mark[0]}{${mark.length},}`, 'g')
    fence.lastIndex = from
    return fence.test(this.#text) ? fence.lastIndex : this.#text.length
  }

  /** The first run of exactly this mark at or after `from`. */
  #next(mark: string, from: number): number | undefined {
    this.#runs ??= this.#readRuns()
    const starts = this.#runs.get(mark)
    if (starts === undefined) return undefined
    // Runs are asked for from left to right: what lies before is done with.
    while (starts.length > 0 && (starts.at(-1) as number) < from) starts.pop()
    return starts.at(-1)
  }

  /** Starts of all runs of backticks by run, the last first. */
  #readRuns(): Map<string, number[]> {
    const runs = new Map<string, number[]>()
    for (const { 0: run, index } of this.#text.matchAll(/`+/g)) {
      const starts = runs.get(run)
      if (starts === undefined) runs.set(run, [index])
      else starts.push(index)
    }
    for (const starts of runs.values()) starts.reverse()
    return runs
  }
}
