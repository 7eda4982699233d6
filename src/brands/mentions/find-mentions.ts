/** Finds which tracked brands an answer names, in one pass over its text (account API 4). */
import { domainToUnicode } from 'node:url'
import { type Automaton, buildAutomaton, nextState } from './automaton.ts'
import { isSubstringScript } from './boundaries.ts'
import { COMPOSING, composesAt, foldExactly, foldName, foldSegment, foldTable } from './fold.ts'
import { NameJudge } from './judge-name.ts'
import type { TextSpan } from './masked-spans.ts'

/** One way of naming a brand. */
export interface TrackedName {
  text: string
  /** Counts only in this spelling, upper and lower case included. */
  is_exact?: boolean
  /** Words of which one, or a domain of the brand, must be named in the same answer. */
  company?: readonly string[]
}

/** The brand itself, or a competitor. */
export interface TrackedBrand {
  id: string
  names: readonly TrackedName[]
  /** In lower case and punycode; hosts below them count as well. */
  domains: readonly string[]
}

export interface FoundMention {
  /** Of the tracked brand. */
  id: string
  /** Among the tracked brands that are named, by their first mention; from 1. */
  position: number
  /** Of the first mention, in UTF-16 units of the stored text. */
  offset: number
  occurrences: number
}

/** What a pattern of the automaton stands for. */
export interface NamePattern {
  folded: string
  /** As `folded`, and with case, for exact aliases; null: any spelling. */
  exact: string | null
  names: { brand: number; company: boolean }[]
  /** Brands of which this is a domain. */
  domains: number[]
  /** Brands of which this is a word of company. */
  keeps: number[]
  /** Whether its first and last character need no boundary. */
  is_free: { start: boolean; end: boolean }
}

/** Tracked brands, ready to be looked for in many texts. */
export class MentionFinder {
  readonly #brands: readonly TrackedBrand[]
  /** Patterns by folded text: an exact alias and another name may share it. */
  readonly #patterns: readonly NamePattern[][]
  readonly #automaton: Automaton
  /** Symbol of each unit of stored text; COMPOSING and above where `foldSegment` must fold it. */
  readonly #symbols: Uint16Array
  /** Where in the stored text the last folded units came from; -1 within a segment. Longer than any pattern. */
  readonly #origins: Int32Array

  constructor(brands: readonly TrackedBrand[]) {
    this.#brands = brands
    const patterns = Map.groupBy(readPatterns(brands), ({ folded }) => folded)
    this.#patterns = [...patterns.values()]
    this.#automaton = buildAutomaton([...patterns.keys()])
    this.#symbols = foldTable().map((unit) => (unit >= COMPOSING ? unit : (this.#automaton.symbols[unit] as number)))
    const longest = [...patterns.keys()].reduce((most, { length }) => Math.max(most, length), 1)
    this.#origins = new Int32Array(2 ** Math.ceil(Math.log2(longest + 1)))
  }

  /** Mentions by position. `cited` are the spans that the provider marks as citations: nothing in them counts. */
  find(text: string, cited: readonly TextSpan[] = []): FoundMention[] {
    const judge = new NameJudge(text, cited, this.#brands.length)
    this.#scan(text, judge)
    // Names that need company are known to have it only at the end of the text.
    if (judge.needsSecondPass()) this.#scan(text, judge)
    return judge
      .mentions()
      .map(({ brand, ...mention }) => ({ id: (this.#brands[brand] as TrackedBrand).id, ...mention }))
  }

  #scan(text: string, judge: NameJudge): void {
    const [automaton, symbols, origins] = [this.#automaton, this.#symbols, this.#origins]
    const { outputs, rows, row_count, symbol_count } = automaton
    const ring = origins.length - 1
    let state = 0
    let folded = 0
    let symbol = symbols[text.charCodeAt(0)] as number
    for (let at = 0; at < text.length; ) {
      const next = at + 1 < text.length ? (symbols[text.charCodeAt(at + 1)] as number) : 0
      if (symbol < COMPOSING && (next < COMPOSING || !composesAt(text, at + 1))) {
        // Almost every unit takes this way, and a call would cost more than the step.
        state =
          state < row_count ? (rows[state * symbol_count + symbol] as number) : nextState(automaton, state, symbol)
        origins[folded++ & ring] = at++
        symbol = next
      } else {
        const segment = foldSegment(text, at)
        for (let unit = 0; unit < segment.folded.length; unit++) {
          state = nextState(automaton, state, automaton.symbols[segment.folded.charCodeAt(unit)] as number)
          origins[folded++ & ring] = unit === 0 ? at : -1
        }
        at = segment.to
        symbol = symbols[text.charCodeAt(at)] as number
        if (segment.folded.length === 0) continue
      }
      if (outputs[state] !== 0) this.#report(judge, state, folded, at)
    }
  }

  /** All patterns that end here, longest first. */
  #report(judge: NameJudge, found: number, folded: number, to: number): void {
    const { outputs, ends, failures } = this.#automaton
    const [origins, ring] = [this.#origins, this.#origins.length - 1]
    for (let state = outputs[found] as number; state !== 0; state = outputs[failures[state] as number] as number) {
      const patterns = this.#patterns[ends[state] as number] as NamePattern[]
      const from = origins[(folded - (patterns[0] as NamePattern).folded.length) & ring] as number
      if (from === -1) continue
      for (const pattern of patterns) judge.take(pattern, from, to)
    }
  }
}

/** Names, domains and words of company as patterns; one for each spelling, whichever names share it. */
function readPatterns(brands: readonly TrackedBrand[]): NamePattern[] {
  const patterns = new Map<string, NamePattern>()
  const patternOf = (text: string, is_exact = false): NamePattern => {
    const [folded, exact] = [foldName(text.trim()), is_exact ? foldExactly(text.trim()) : null]
    const key = `${exact === null ? '' : exact}\n${folded}`
    const is_free = { start: isSubstringScript(firstOf(folded)), end: isSubstringScript(lastOf(folded)) }
    const pattern = patterns.get(key) ?? { folded, exact, names: [], domains: [], keeps: [], is_free }
    if (folded !== '') patterns.set(key, pattern)
    return pattern
  }
  for (const [brand, { names, domains }] of brands.entries()) {
    for (const { text, is_exact, company } of names) {
      patternOf(text, is_exact).names.push({ brand, company: company !== undefined })
      for (const word of company === undefined ? [] : company) patternOf(word).keeps.push(brand)
    }
    for (const domain of domains) {
      for (const spelling of new Set([domain, domainToUnicode(domain)])) patternOf(spelling).domains.push(brand)
    }
  }
  return [...patterns.values()]
}

const firstOf = (text: string): string => [...text].slice(0, 1).join('')
const lastOf = (text: string): string => [...text].slice(-1).join('')
