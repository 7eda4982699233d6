/** Random histories on the real service: every crawler answer is what an evaluator says that knows the papers alone. */
import { describe, expect, test } from 'vitest'
import { serviceOfFile } from '../../support/fresh.ts'
import { byName, differences } from './compare.ts'
import { expectAll } from './expect/replay.ts'
import { history } from './history.ts'
import { play } from './run.ts'
import { START } from './story.ts'
import { instant } from './time.ts'

const given = process.env.ORACLE_SEED
const seeds = given === undefined ? Array.from({ length: 50 }, (_, index) => index + 1) : given.split(',').map(Number)

const shared = serviceOfFile()

describe('crawler answers of random histories', () => {
  test.each(seeds)('seed %i', async (seed) => {
    const events = history(seed)
    const service = await shared.fresh(instant(START))
    const answers = await play(service, events)
    const found = expectAll(events).flatMap((expected, index) => differences(expected, byName(answers[index]), `[${index}]`))
    expect(found, `history of seed ${seed}: ${JSON.stringify(events)}`).toEqual([])
  })
})
