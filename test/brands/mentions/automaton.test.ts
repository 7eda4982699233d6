import { expect, test } from 'vitest'
import { type Automaton, buildAutomaton, nextState } from '#brands/mentions/automaton.ts'

/** All patterns that end at each place, by the automaton and by comparing texts. */
function byAutomaton(automaton: Automaton, patterns: readonly string[], text: string): string[] {
  const found: string[] = []
  let state = 0
  for (let at = 0; at < text.length; at++) {
    state = nextState(automaton, state, automaton.symbols[text.charCodeAt(at)] as number)
    let output = automaton.outputs[state] as number
    while (output !== 0) {
      found.push(`${at + 1} ${patterns[automaton.ends[output] as number]}`)
      output = automaton.outputs[automaton.failures[output] as number] as number
    }
  }
  return found.sort()
}

const byComparing = (patterns: readonly string[], text: string): string[] =>
  patterns
    .flatMap((pattern) =>
      Array.from({ length: text.length }, (_, at) =>
        text.startsWith(pattern, at) ? `${at + pattern.length} ${pattern}` : '',
      ),
    )
    .filter((found) => found !== '')
    .sort()

let seed = 11
const below = (count: number) => {
  seed = (seed * 48_271) % 2_147_483_647
  return seed % count
}
const word = (alphabet: string, length: number) =>
  Array.from({ length }, () => alphabet[below(alphabet.length)]).join('')

test('finds the same as comparing each pattern at each place', () => {
  for (let round = 0; round < 200; round++) {
    const patterns = [...new Set(Array.from({ length: 1 + below(12) }, () => word('abc', 1 + below(5))))]
    const text = word('abcd', 60)
    expect(byAutomaton(buildAutomaton(patterns), patterns, text)).toEqual(byComparing(patterns, text))
  }
})

test('states without their own row find the same', () => {
  const alphabet = Array.from({ length: 2_000 }, (_, index) => String.fromCharCode(0x4e00 + index)).join('')
  const patterns = [...new Set(Array.from({ length: 400 }, () => `共${word(alphabet, 1 + below(8))}`))]
  const automaton = buildAutomaton(patterns)
  expect(automaton.row_count).toBeLessThan(automaton.ends.length)
  const text = patterns.slice(0, 50).join('共')
  expect(byAutomaton(automaton, patterns, text)).toEqual(byComparing(patterns, text))
})
