/**
 * Random histories on the real service: every crawler answer is what an evaluator says that knows the specification
 * alone.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestService } from '../../support/service.ts'
import { byName, describeDifference, differences } from './compare.ts'
import type { Event } from './events.ts'
import { AUTHORITY_ERRORS, type Broken, ERRORS } from './expect/broken.ts'
import { expectAll } from './expect/replay.ts'
import { AUTHORITY_SEEDS, history, print } from './history.ts'
import { type Answers, openStage, play } from './run.ts'
import { shrink } from './shrink.ts'

/** Other seeds to try, with commas; with ORACLE_SHRINK=1 what differs is shortened first. */
const { ORACLE_SEEDS, ORACLE_SHRINK } = process.env
/**
 * The last two hold what the first 48 never do: days of which one source only says that it covered them, and a sender
 * gone for over a week.
 */
const FIFTY = [...Array.from({ length: 48 }, (_, index) => index + 1), 52, 55]
/** Owners who decide by authority. */
const AUTHORITY = Array.from({ length: 14 }, (_, index) => AUTHORITY_SEEDS + index)
const seeds = ORACLE_SEEDS === undefined ? [...FIFTY, ...AUTHORITY] : ORACLE_SEEDS.split(',').map(Number)

let service: TestService
beforeAll(async () => {
  service = await openStage()
})
afterAll(() => service.close())

/** What was played and answered, for the deliberate errors. */
const played: { seed: number; events: readonly Event[]; answers: Answers[] }[] = []

async function compare(seed: number, events: readonly Event[]): Promise<string[]> {
  const answers = (await play(service, events)).map((answer) => byName(answer) as Answers)
  const found = find(events, answers, null)
  if (found.length === 0) played.push({ seed, events, answers })
  return found.map(describeDifference)
}

const find = (events: readonly Event[], answers: readonly Answers[], broken: Broken) =>
  expectAll(events, broken).flatMap((expected, index) => differences(expected, answers[index], `answers[${index}]`))

describe('crawler answers of random histories', () => {
  test.each(seeds)('seed %i', async (seed) => {
    const events = history(seed)
    const found = await compare(seed, events)
    const differs = async (tried: readonly Event[]) => (await compare(seed, tried)).length > 0
    const shortest = found.length === 0 || ORACLE_SHRINK === undefined ? events : await shrink(events, differs)
    const shown = shortest === events ? found : await compare(seed, shortest)
    expect(shown.slice(0, 20), `The history of seed ${seed}:\n${print(shortest)}`).toEqual([])
  })
})

describe.skipIf(ORACLE_SEEDS !== undefined)('a deliberate error of the evaluator is found by a history', () => {
  test.each(ERRORS)('%s', (broken) => {
    // Without an open gate authority changes nothing, and with one it hides what sources would count.
    const isOfAuthority = AUTHORITY_ERRORS.some((error) => error === broken)
    const held = played.filter(({ seed }) => seed >= AUTHORITY_SEEDS === isOfAuthority)
    expect(held.some(({ events, answers }) => find(events, answers, broken).length > 0)).toBe(true)
  })
})
