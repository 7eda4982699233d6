import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FunnelRevision, Step } from '#tracker/definitions/definitions.ts'
import { planEvaluation } from '#tracker/definitions/evaluated-days.ts'
import { countFunnels } from '#tracker/funnels/count-funnels.ts'
import { insertBuild } from '#tracker/sessions/session-sums.sql.ts'
import { openTestEvidence, type TestEvidence } from '../support/evidence.ts'
import { DAY, DAY_BEGINS, eventsOf, matcher, storeHistory, visit } from '../tracker/histories.ts'
import { type PlainFunnel, type PlainMatcher, plainFunnel, plainSessions } from '../tracker/plain-evaluation.ts'

let evidence: TestEvidence
beforeAll(async () => {
  evidence = await openTestEvidence()
})
afterAll(() => evidence.remove())

const bound = fc.integer({ min: 0, max: 80_000_000 }).map((offset) => DAY_BEGINS + offset)
const funnel: fc.Arbitrary<PlainFunnel> = fc.record({
  steps: fc.array(matcher, { minLength: 2, maxLength: 5 }),
  effective_from: fc.oneof({ weight: 3, arbitrary: fc.constant(DAY_BEGINS - 1) }, bound),
  effective_to: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, bound),
})

const revisionOf = (given: PlainFunnel): FunnelRevision => ({
  id: randomUUID(),
  site_id: randomUUID(),
  funnel_id: randomUUID(),
  slug: `funnel-${'0'.repeat(32)}`,
  revision: 1,
  name: 'Funnel',
  created_at: 0,
  archived_at: null,
  effective_from: given.effective_from,
  effective_to: given.effective_to,
  steps: given.steps.map(stepOf),
})

function stepOf(met: PlainMatcher): Step {
  const page = { path_fidelity: 'exact', path_transform_version: 'path/v1' } as const
  if (met.kind === 'pageview') return { kind: 'page', hostname: met.hostname, path: met.path, ...page }
  const conversion = { conversion_id: randomUUID(), revision_id: randomUUID(), revision: 1, name: 'Conversion' }
  return { kind: 'conversion', ...conversion, matcher: met as never }
}

test('funnels equal a count over every session, from facts and from closed days', async () => {
  let histories = 0
  let evaluated = 0
  let ties = 0
  let done = 0
  await fc.assert(
    fc.asyncProperty(
      // Many of both in each run, because a statement takes about as long for one of them as for all.
      fc.array(visit, { minLength: 44, maxLength: 60 }),
      fc.array(funnel, { minLength: 10, maxLength: 18 }),
      async (visits, funnels) => {
        const events = eventsOf(visits)
        const site_id = await storeHistory(evidence.store, events)
        const sessions = plainSessions(events)
        const expected = funnels.map((given) => plainFunnel(sessions, given))
        const revisions = funnels.map(revisionOf)
        const ids = revisions.map(({ id }) => id)
        const cutoff = DAY_BEGINS + 86_400_000
        const counted = async (scope: { builds: { day: string; build: number }[]; fact_days: string[] }) => {
          const plan = planEvaluation({ site_id, cutoff, ...scope }, revisions, [])
          const counts = await countFunnels(evidence.store, revisions, plan)
          return ids.map((id) => counts.get(id))
        }
        expect(await counted({ builds: [], fact_days: [DAY] })).toEqual(expected)
        for (const insert of insertBuild({ site_id, day: DAY, build: 7 })) await evidence.store.run(insert)
        expect(await counted({ builds: [{ day: DAY, build: 7 }], fact_days: [] })).toEqual(expected)
        histories += visits.length
        evaluated += funnels.length
        ties += expected.reduce((sum, { ambiguous }) => sum + ambiguous, 0)
        done += expected.filter(({ reached }) => (reached.at(-1) as number) > 0).length
      },
    ),
    { numRuns: 25 },
  )
  expect(histories).toBeGreaterThan(1_000)
  expect(evaluated).toBeGreaterThan(249)
  // The histories are worth something only where funnels were completed and ties mattered.
  expect(ties).toBeGreaterThan(20)
  expect(done).toBeGreaterThan(20)
}, 300_000)
