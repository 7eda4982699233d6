/** Random histories, played on a real service, against an evaluator that is written from the specification alone. */
import { afterAll, beforeAll, test } from 'vitest'
import type { TestService } from '../../support/service.ts'
import { compare } from './compare.ts'
import { expectAnswer } from './expect.ts'
import { generate } from './generate.ts'
import { DAY, print } from './history.ts'
import { openPlayed, play } from './run.ts'

const START = Date.parse('2026-01-05')
/** Histories follow each other on one service, whose clock never goes back. */
const APART = 20 * DAY
const given = process.env.VISITOR_HISTORY_SEEDS
const SEEDS = given === undefined ? Array.from({ length: 50 }, (_, index) => index + 1) : given.split(',').map(Number)

let service: TestService
beforeAll(async () => {
  service = await openPlayed(START - DAY)
})
afterAll(() => service.close())

test.each(SEEDS.map((seed, index) => [seed, index] as const))(
  'history %i is answered as the papers say',
  async (seed, index) => {
    const history = generate(seed, START + index * APART)
    const ids = new Map<string, string>()
    const differences: string[] = []
    for (const { at, ask, status, json } of await play(service, history)) {
      const expected = expectAnswer(history, at, ask)
      const asked = `${new Date(at).toISOString()} ${JSON.stringify(ask)}`
      for (const { path, expected: said, actual } of compare(expected, { status, json }, ids))
        differences.push(`${asked} ${path}: expected ${JSON.stringify(said)}, not ${JSON.stringify(actual)}`)
    }
    // The history is what the difference has to be explained from.
    if (differences.length > 0) throw new Error([`seed ${seed}:`, ...differences, '', print(history)].join('\n'))
  },
)
