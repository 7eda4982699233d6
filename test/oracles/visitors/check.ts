/** Plays histories and holds their answers against the evaluator. */
import { compare } from './compare.ts'
import { expectAnswer } from './evaluator/expect.ts'
import { PAPERS, type Rules } from './evaluator/rules.ts'
import { generate } from './generate.ts'
import { DAY, type History, type Instant } from './history.ts'
import type { Answered } from './run.ts'

export const START: Instant = Date.parse('2026-01-05')
/** Histories follow each other on one service, whose clock never goes back. */
const APART = 20 * DAY

/** The history of a seed that is the n-th to be played. */
export const historyAt = (seed: number, index: number): History => generate(seed, START + index * APART)

/** One line for each value that is not what the evaluator says. */
export function differencesOf(history: History, answers: readonly Answered[], rules: Rules = PAPERS): string[] {
  const ids = new Map<string, string>()
  return answers.flatMap(({ at, ask, status, json }) =>
    compare(expectAnswer(history, at, ask, rules), { status, json }, ids).map(({ path, expected, actual }) =>
      [
        new Date(at).toISOString(),
        JSON.stringify(ask),
        `${path}:`,
        `expected ${JSON.stringify(expected)},`,
        `not ${JSON.stringify(actual)}`,
      ].join(' '),
    ),
  )
}
