import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ValueCache } from '#derived/value-cache.ts'
import { countJourneys } from '#tracker/journeys.ts'
import { insertBuild } from '#tracker/sessions/session-sums.sql.ts'
import { openTestEvidence, type TestEvidence } from '../support/evidence.ts'
import { DAY, DAY_BEGINS, eventsOf, storeHistory, type Visit, visit } from '../tracker/histories.ts'
import { plainJourneys, plainSessions } from '../tracker/plain-evaluation.ts'

let evidence: TestEvidence
beforeAll(async () => {
  evidence = await openTestEvidence()
})
afterAll(() => evidence.remove())

/** Short walks, so that several sessions go the same way, and some that are longer than ten pages. */
const long = fc.array(fc.constantFrom('/', '/a', '/b'), { minLength: 9, maxLength: 13 }).map(
  (paths): Visit => ({
    begins: 5_000,
    steps: paths.map((path) => ({ pause: 60_000, joins: false, what: { kind: 'pageview', path } })),
  }),
)
const walk = fc.oneof({ weight: 12, arbitrary: visit }, { weight: 1, arbitrary: long })

test('journeys are the walks of closed sessions, the rare ones only together', async () => {
  let histories = 0
  let shown = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(walk, { minLength: 30, maxLength: 60 }),
      fc.integer({ min: 0, max: 86_400_000 }).map((offset) => DAY_BEGINS + offset),
      async (visits, cutoff) => {
        const events = eventsOf(visits)
        const site_id = await storeHistory(evidence.store, events)
        const answers = new ValueCache(1_000_000)
        const count = async (at: number, days: { builds: { day: string; build: number }[]; fact_days: string[] }) => {
          const counted = await countJourneys(
            { evidence: evidence.store, derived: { answers } },
            { site_id, cutoff: at, ...days },
            100,
          )
          expect(counted.total_count).toBe(counted.sequences.length)
          const walks = counted.sequences.map(({ pages, continued, sessions }): [string, number] => [
            JSON.stringify({ pages: pages.map(({ path }) => path), continued }),
            sessions,
          ])
          const { closed_sessions, grouped_sessions } = counted
          return { closed_sessions, shown: new Map(walks), grouped_sessions }
        }
        const until = plainSessions(events.filter(({ at }) => at <= cutoff))
        expect(await count(cutoff, { builds: [], fact_days: [DAY] })).toEqual(plainJourneys(until, cutoff, 5))
        for (const insert of insertBuild({ site_id, day: DAY, build: 7 })) await evidence.store.run(insert)
        const over = DAY_BEGINS + 86_400_000
        const whole = plainJourneys(plainSessions(events), over, 5)
        expect(await count(over, { builds: [{ day: DAY, build: 7 }], fact_days: [] })).toEqual(whole)
        histories += visits.length
        shown += whole.shown.size
      },
    ),
    { numRuns: 40 },
  )
  expect(histories).toBeGreaterThan(1_000)
  expect(shown).toBeGreaterThan(40)
}, 300_000)
