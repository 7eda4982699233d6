/** The check of the check: histories find every deliberate error of the evaluator. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestService } from '../../support/service.ts'
import { differencesOf, historyAt, START } from './check.ts'
import { PAPERS } from './evaluator/rules.ts'
import { DAY, type History } from './history.ts'
import { MUTATIONS } from './mutations.ts'
import { type Answered, openPlayed, play } from './run.ts'

const SEEDS = Array.from({ length: 16 }, (_, index) => index + 1)

const played: { history: History; answers: Answered[] }[] = []
let service: TestService
beforeAll(async () => {
  service = await openPlayed(START - DAY)
  for (const [index, seed] of SEEDS.entries()) {
    const history = historyAt(seed, index)
    played.push({ history, answers: await play(service, history) })
  }
}, 600_000)
afterAll(() => service.close())

test('without an error of the evaluator there is nothing to find', () => {
  expect(played.flatMap(({ history, answers }) => differencesOf(history, answers))).toEqual([])
})

test.each(Object.entries(MUTATIONS))('it is found when %s', (_name, mutation) => {
  const found = played.some(
    ({ history, answers }) => differencesOf(history, answers, { ...PAPERS, ...mutation }).length > 0,
  )
  expect(found).toBe(true)
})
