import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql, text } from '#evidence/sql.ts'
import { planConverted } from '#tracker/conversions/converted.ts'
import { countConversions } from '#tracker/conversions/count-conversions.ts'
import type { ConversionRevision } from '#tracker/definitions/definitions.ts'
import { planEvaluation } from '#tracker/definitions/evaluated-days.ts'
import { dayCounts } from '#tracker/overview.sql.ts'
import { pageviewCounts } from '#tracker/pages.sql.ts'
import { insertBuild } from '#tracker/sessions/session-sums.sql.ts'
import { openTestEvidence, type TestEvidence } from '../support/evidence.ts'
import { DAY, DAY_BEGINS, eventsOf, matcher, storeHistory, visit } from '../tracker/histories.ts'
import { type PlainConversion, plainConversion, plainConverted, plainSessions } from '../tracker/plain-evaluation.ts'

let evidence: TestEvidence
beforeAll(async () => {
  evidence = await openTestEvidence()
})
afterAll(() => evidence.remove())

const bound = fc.integer({ min: 0, max: 80_000_000 }).map((offset) => DAY_BEGINS + offset)
const conversion: fc.Arbitrary<PlainConversion> = fc.record({
  matcher,
  effective_from: fc.oneof({ weight: 3, arbitrary: fc.constant(DAY_BEGINS - 1) }, bound),
  effective_to: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, bound),
})

const revisionOf = ({ matcher, effective_from, effective_to }: PlainConversion): ConversionRevision => ({
  id: randomUUID(),
  site_id: randomUUID(),
  conversion_id: randomUUID(),
  revision: 1,
  name: 'Conversion',
  created_at: 0,
  archived_at: null,
  effective_from,
  effective_to,
  matcher: matcher as never,
})

test('conversions equal a count over every event, from facts and from closed days', async () => {
  let histories = 0
  let converted = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(visit, { minLength: 36, maxLength: 48 }),
      fc.array(conversion, { minLength: 1, maxLength: 5 }),
      async (visits, conversions) => {
        const events = eventsOf(visits)
        const site_id = await storeHistory(evidence.store, events)
        const sessions = plainSessions(events)
        const expected = conversions.map((given) => plainConversion(sessions, given))
        const any = plainConverted(sessions, conversions)
        await evidence.store.run(sql`
          INSERT INTO spoor.pages (site_id, host, path, path_fidelity, path_class)
          SELECT DISTINCT site_id, hostname, path, 'exact', 'content' FROM spoor.events WHERE toString(site_id) = ${text(site_id)}`)
        const revisions = conversions.map(revisionOf)
        const ids = revisions.map(({ id }) => id)
        const cutoff = DAY_BEGINS + 86_400_000
        const check = async (days: { builds: { day: string; build: number }[]; fact_days: string[] }) => {
          const scope = { site_id, cutoff, ...days }
          const plan = planEvaluation(scope, revisions, [])
          const counts = await countConversions(evidence.store, revisions, plan)
          expect(counts.sessions).toBe(sessions.length)
          expect(
            ids.map((id) => {
              const count = counts.by_revision.get(id)
              return { converted_sessions: count?.converted_sessions, conversion_events: count?.conversion_events }
            }),
          ).toEqual(expected)
          for (const id of ids) {
            const count = counts.by_revision.get(id)
            const by_origin = [...(count?.sources.values() ?? [])].filter(({ dimension }) => dimension === 'origin')
            const sum = by_origin.reduce((all, source) => all + source.converted_sessions, 0)
            expect(sum).toBe(count?.converted_sessions)
          }
          const covered = new Map([
            [DAY, { state: 'complete' as const, limitation: null, is_proven: true, is_counted: true }],
          ])
          const converting = planConverted({ days: covered, scope }, { revisions, builds: [] })
          const by_day = await evidence.store.all(dayCounts(scope, converting))
          expect(by_day.reduce((all, row) => all + row.converted, 0)).toBe(any.total)
          const by_page = (await evidence.store.all(pageviewCounts(scope, 1_000, converting))).filter(
            (row) => row.converted > 0,
          )
          expect(new Map(by_page.map((row) => [row.path, row.converted]))).toEqual(any.by_page)
        }
        await check({ builds: [], fact_days: [DAY] })
        for (const insert of insertBuild({ site_id, day: DAY, build: 7 })) await evidence.store.run(insert)
        await check({ builds: [{ day: DAY, build: 7 }], fact_days: [] })
        histories += visits.length
        converted += any.total
      },
    ),
    { numRuns: 30 },
  )
  expect(histories).toBeGreaterThan(1_000)
  expect(converted).toBeGreaterThan(200)
}, 300_000)
