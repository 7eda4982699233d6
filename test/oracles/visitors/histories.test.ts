/** Random histories, played on a real service, against an evaluator that is written from the specification alone. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestService } from '../../support/service.ts'
import { differencesOf, historyAt, START } from './check.ts'
import { DAY, print } from './history.ts'
import { openPlayed, play } from './run.ts'

/**
 * Other seeds than these 50: VISITOR_HISTORY_SEEDS=51,52 npm exec -- vitest run --project slow
 * test/oracles/visitors/histories.test.ts
 */
const asked = process.env.VISITOR_HISTORY_SEEDS?.split(',').map(Number)
const SEEDS = asked ?? Array.from({ length: 50 }, (_, index) => index + 1)

let service: TestService
beforeAll(async () => {
  service = await openPlayed(START - DAY)
})
afterAll(() => service.close())

test.each(SEEDS.map((seed, index) => [seed, index] as const))(
  'history %i is answered as the specification says',
  async (seed, index) => {
    const history = historyAt(seed, index)
    const answers = await play(service, history)
    expect(answers.length).toBeGreaterThan(8)
    const differences = differencesOf(history, answers)
    // The history is what a difference has to be explained from.
    if (differences.length > 0) throw new Error([`seed ${seed}:`, ...differences, '', print(history)].join('\n'))
  },
)
