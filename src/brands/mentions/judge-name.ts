/**
 * Judges what the automaton finds in one text: whether it stands on its own, counts where it stands, and wins its
 * place.
 */
import { union } from '#days/intervals.ts'
import { isNameEdge } from './boundaries.ts'
import type { FoundMention } from './find-mentions.ts'
import { foldExactly } from './fold.ts'
import { findMaskedSpans, isHost, type MaskedSpan, type TextSpan } from './masked-spans.ts'
import type { NamePattern } from './name-patterns.ts'

interface Hit {
  from: number
  to: number
  brands: readonly number[]
}

/** A token of characters that host names may have. */
interface Token extends TextSpan {
  /** The host in it, without punctuation around it; null if it is not a host. */
  host: TextSpan | null
}

const NONE: readonly number[] = []
/** Units that a host name continues with. */
const HOST_UNIT = /[\p{L}\p{N}_-]/u
const TOKEN_UNIT = /[\p{L}\p{N}._-]/u
const MAX_TOKEN_LENGTH = 253

export class NameJudge {
  readonly #text: string
  readonly #cited: readonly TextSpan[]
  #masked: readonly MaskedSpan[] | undefined
  /** The longest hit by its start: later hits are longer. */
  readonly #hits = new Map<number, Hit>()
  /** Whether each brand has company: a domain of its own, or a listed word. */
  readonly #has_company: boolean[]
  /** Brands with names that were skipped because they need company. */
  readonly #waiting = new Set<number>()
  #is_second_pass = false
  /** The token judged last: texts name the same host many times. */
  #token: Token = { from: 0, to: 0, host: null }

  constructor(text: string, cited: readonly TextSpan[], brand_count: number) {
    this.#text = text
    this.#cited = union(cited)
    this.#has_company = Array.from({ length: brand_count }, () => false)
  }

  /** Takes a pattern that the automaton found. */
  take(pattern: NamePattern, from: number, to: number): void {
    const domains = pattern.domains.length > 0 && this.#isDomain(from, to) ? pattern.domains : NONE
    for (const brand of domains) this.#has_company[brand] = true
    const has_words = pattern.names.length > 0 || pattern.keeps.length > 0
    const is_name = has_words && this.#isName(pattern, from, to)
    if (is_name) for (const brand of pattern.keeps) this.#has_company[brand] = true
    const named = is_name ? pattern.names.filter((name) => this.#mayCount(name)).map(({ brand }) => brand) : NONE
    if (domains.length === 0 && named.length === 0) return
    const known = this.#hits.get(from)
    // Two spellings of one text, an exact alias and another name, may belong to different brands.
    const shared = known !== undefined && known.to === to ? known.brands : NONE
    this.#hits.set(from, { from, to, brands: [...new Set([...shared, ...domains, ...named])] })
  }

  /** True once, if skipped names that need company have it after all. */
  needsSecondPass(): boolean {
    if (this.#is_second_pass || ![...this.#waiting].some((brand) => this.#has_company[brand])) return false
    this.#is_second_pass = true
    this.#hits.clear()
    return true
  }

  /** The mentions from left to right: at each position the longest name counts, and names that overlap it do not. */
  mentions(): (Omit<FoundMention, 'id'> & { brand: number })[] {
    const mentions = new Map<number, Omit<FoundMention, 'id'> & { brand: number }>()
    let end = 0
    for (const hit of [...this.#hits.values()].sort((a, b) => a.from - b.from)) {
      if (hit.from < end) continue
      end = hit.to
      for (const brand of hit.brands) {
        const known = mentions.get(brand)
        if (known !== undefined) known.occurrences += 1
        else mentions.set(brand, { brand, position: mentions.size + 1, offset: hit.from, occurrences: 1 })
      }
    }
    return [...mentions.values()]
  }

  #mayCount({ brand, company }: { brand: number; company: boolean }): boolean {
    if (!company) return true
    if (!this.#is_second_pass) this.#waiting.add(brand)
    return this.#is_second_pass && this.#has_company[brand] === true
  }

  #isName({ is_free, exact }: NamePattern, from: number, to: number): boolean {
    if (!is_free.start && !isNameEdge(this.#text, from)) return false
    if (!is_free.end && !isNameEdge(this.#text, to)) return false
    if (exact !== null && foldExactly(this.#text.slice(from, to)) !== exact) return false
    return !this.#isMasked(from, to, ['url', 'code', 'markup']) && !this.#isInHost(from, to)
  }

  /** Whether a host is the domain or a subdomain; `example.com.br` is neither for `example.com`. */
  #isDomain(from: number, to: number): boolean {
    const [left, right] = [this.#text.charAt(from - 1), this.#text.charAt(to)]
    if (HOST_UNIT.test(left) || HOST_UNIT.test(right)) return false
    if (right === '.' && HOST_UNIT.test(this.#text.charAt(to + 1))) return false
    return !this.#isMasked(from, to, ['markup'])
  }

  #isMasked(from: number, to: number, kinds: readonly MaskedSpan['kind'][]): boolean {
    if (overlapping(this.#cited, from, to) !== undefined) return true
    this.#masked ??= findMaskedSpans(this.#text)
    const span = overlapping(this.#masked, from, to)
    return span !== undefined && kinds.includes(span.kind)
  }

  /**
   * `acme` in `acme-bank.com` or `shop.acme.com` is part of a host, which names the owner of the domain. A name that is
   * a whole host (`Booking.com`) is a name there.
   */
  #isInHost(from: number, to: number): boolean {
    if (from < this.#token.from || to > this.#token.to) this.#token = this.#tokenAround(from, to)
    const { host } = this.#token
    return host !== null && (from > host.from || to < host.to)
  }

  #tokenAround(from: number, to: number): Token {
    let [start, end] = [from, to]
    const [least, most] = [Math.max(0, from - MAX_TOKEN_LENGTH), to + MAX_TOKEN_LENGTH]
    while (start > least && TOKEN_UNIT.test(this.#text.charAt(start - 1))) start -= 1
    while (end < most && TOKEN_UNIT.test(this.#text.charAt(end))) end += 1
    const token = this.#text.slice(start, end).replace(/[._-]+$/, '')
    const host = token.replace(/^[._-]+/, '')
    const span = { from: start + token.length - host.length, to: start + token.length }
    return { from: start, to: end, host: isHost(host) ? span : null }
  }
}

/** The first span that shares a unit with `from` to `to`; spans are in order and do not overlap. */
function overlapping<S extends TextSpan>(spans: readonly S[], from: number, to: number): S | undefined {
  let [low, high] = [0, spans.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle] as S).to <= from) low = middle + 1
    else high = middle
  }
  const span = spans[low]
  return span !== undefined && span.from < to ? span : undefined
}
