/**
 * Aho-Corasick automaton over UTF-16 units (Aho, Corasick 1975). Shallow states, in which almost all text stays, have a
 * full row of transitions; the others have a map of edges and a failure link, so that thousands of names stay small.
 */

export interface Automaton {
  /** Symbol of each folded unit that occurs in a pattern; 0 for all others. */
  readonly symbols: Uint16Array
  readonly symbol_count: number
  /** Rows of the first states: `rows[state * symbol_count + symbol]` is the next state. */
  readonly rows: Int32Array
  readonly row_count: number
  /** Edges of the other states by `state * symbol_count + symbol`. */
  readonly edges: ReadonlyMap<number, number>
  readonly failures: Int32Array
  /** Index of the pattern that ends in a state, or -1. */
  readonly ends: Int32Array
  /** The state itself or the nearest one on its failure path in which a pattern ends; 0: none. */
  readonly outputs: Int32Array
}

/** The most cells of all rows: 4 MB. */
const MAX_CELLS = 1_000_000

/** Builds the automaton of distinct, non-empty patterns; their indexes are those of the list. */
export function buildAutomaton(patterns: readonly string[]): Automaton {
  const { symbols, symbol_count } = numberSymbols(patterns)
  const { edges, ends } = buildTrie(patterns, symbols, symbol_count)
  const row_count = Math.max(1, Math.min(ends.length, Math.floor(MAX_CELLS / symbol_count)))
  const rows = new Int32Array(row_count * symbol_count)
  const failures = new Int32Array(ends.length)
  const outputs = new Int32Array(ends.length)
  const automaton = { symbols, symbol_count, rows, row_count, edges, failures, ends, outputs }
  let built = 1
  const buildRows = (last: number) => {
    for (; built <= last && built < row_count; built++) {
      const failure = (failures[built] as number) * symbol_count
      rows.copyWithin(built * symbol_count, failure, failure + symbol_count)
    }
  }
  // States are numbered by depth and edges lie in the order of their states: what a failure link leads to is complete.
  for (const [edge, child] of edges) {
    const parent = Math.floor(edge / symbol_count)
    buildRows(parent)
    failures[child] = parent === 0 ? 0 : nextState(automaton, failures[parent] as number, edge % symbol_count)
    if (parent < row_count) rows[edge] = child
  }
  buildRows(ends.length - 1)
  for (let state = 1; state < ends.length; state++) {
    outputs[state] = ends[state] === -1 ? (outputs[failures[state] as number] as number) : state
  }
  return automaton
}

/** The state after one more symbol; over a whole text linear, because each failure link undoes an earlier step. */
export function nextState({ rows, row_count, symbol_count, edges, failures }: Automaton, from: number, symbol: number) {
  let state = from
  while (state >= row_count) {
    const child = edges.get(state * symbol_count + symbol)
    if (child !== undefined) return child
    state = failures[state] as number
  }
  return rows[state * symbol_count + symbol] as number
}

function numberSymbols(patterns: readonly string[]): Pick<Automaton, 'symbols' | 'symbol_count'> {
  const symbols = new Uint16Array(0x10000)
  let last = 0
  for (const pattern of patterns) {
    for (let at = 0; at < pattern.length; at++) {
      const unit = pattern.charCodeAt(at)
      if (symbols[unit] === 0) symbols[unit] = ++last
    }
  }
  return { symbols, symbol_count: last + 1 }
}

/** The patterns as a tree whose states are numbered by depth. */
function buildTrie(patterns: readonly string[], symbols: Uint16Array, symbol_count: number) {
  const edges = new Map<number, number>()
  const reached = new Int32Array(patterns.length)
  const ends: number[] = [-1]
  const longest = patterns.reduce((most, { length }) => Math.max(most, length), 0)
  for (let depth = 0; depth < longest; depth++) {
    for (const [index, pattern] of patterns.entries()) {
      if (depth >= pattern.length) continue
      const edge = (reached[index] as number) * symbol_count + (symbols[pattern.charCodeAt(depth)] as number)
      const known = edges.get(edge)
      const state = known === undefined ? ends.length : known
      if (known === undefined) edges.set(edge, ends.push(-1) - 1)
      reached[index] = state
      if (depth === pattern.length - 1) ends[state] = index
    }
  }
  return { edges, ends: Int32Array.from(ends) }
}
