/**
 * Random histories, played on a real service, against an evaluator that is written from the specification alone; then
 * the check of the check: the first of them find every deliberate error of the evaluator.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestService } from '../../support/service.ts'
import { differencesOf, historyAt, START } from './check.ts'
import { PAPERS } from './evaluator/rules.ts'
import { DAY, type History, print } from './history.ts'
import { MUTATIONS } from './mutations.ts'
import { type Answered, openPlayed, play } from './run.ts'

/**
 * Other seeds than these 50: VISITOR_HISTORY_SEEDS=51,52 npm exec -- vitest run --project slow
 * test/oracles/visitors/histories.test.ts
 */
const asked = process.env.VISITOR_HISTORY_SEEDS?.split(',').map(Number)
const SEEDS = asked ?? Array.from({ length: 50 }, (_, index) => index + 1)

/** So many histories find every deliberate error. */
const ENOUGH = 16

let service: TestService
beforeAll(async () => {
  service = await openPlayed(START - DAY)
})
afterAll(() => service.close())

/** What was played and answered, for the deliberate errors. */
const played: { history: History; answers: Answered[] }[] = []

test.each(SEEDS.map((seed, index) => [seed, index] as const))(
  'history %i is answered as the specification says',
  async (seed, index) => {
    const history = historyAt(seed, index)
    const answers = await play(service, history)
    if (index < ENOUGH) played.push({ history, answers })
    expect(answers.length).toBeGreaterThan(8)
    const differences = differencesOf(history, answers)
    // The history is what a difference has to be explained from.
    if (differences.length > 0) throw new Error([`seed ${seed}:`, ...differences, '', print(history)].join('\n'))
  },
)

describe.skipIf(asked !== undefined)('an error of the evaluator is found', () => {
  test('without one there is nothing to find', () => {
    expect(played).toHaveLength(ENOUGH)
    expect(played.flatMap(({ history, answers }) => differencesOf(history, answers))).toEqual([])
  })

  test.each(Object.entries(MUTATIONS))('when %s', (_name, mutation) => {
    const found = played.some(
      ({ history, answers }) => differencesOf(history, answers, { ...PAPERS, ...mutation }).length > 0,
    )
    expect(found).toBe(true)
  })
})
