/** Finds which tracked brands an answer names, in one pass over its text (account API 4). */
import { type Automaton, buildAutomaton, nextState } from './automaton.ts'
import { COMPOSING, composesAt, foldSegment, foldTable } from './fold.ts'
import { NameJudge } from './judge-name.ts'
import type { TextSpan } from './masked-spans.ts'
import { type NamePattern, readPatterns, type TrackedBrand } from './name-patterns.ts'

export interface FoundMention {
  /** Of the tracked brand. */
  id: string
  /** Among the tracked brands that are named, by their first mention; from 1. */
  position: number
  /** Of the first mention, in UTF-16 units of the stored text. */
  offset: number
  occurrences: number
}

/** A search for tracked brands, compiled for many texts. */
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
    // Whether names that need company have it is known only at the end of the text.
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
        // Almost every unit takes this path, and a call would cost more than the step.
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
