/** Pages out of sums that are kept are those of the one statement. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '#clock.ts'
import { overrideStore } from '#evidence/override-store.ts'
import type { TrackerContext } from '#tracker/context.ts'
import { findConverted, planConverted } from '#tracker/conversions/converted.ts'
import { openTrackerReading } from '#tracker/coverage/open-reading.ts'
import { addConversion } from '#tracker/definitions/conversions.ts'
import { readConversionInput } from '#tracker/definitions/definition-input.ts'
import { pageviewCounts } from '#tracker/pages.sql.ts'
import { pagesFromSums } from '#tracker/pageview-sums.ts'
import { deriveDays } from '#tracker/sessions/derive-sessions.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { enableTracker, storeEvents, type TestEvent } from '../support/tracker.ts'

const NOW = '2026-03-10T12:00:00.000Z'

let service: TestService
beforeAll(async () => {
  service = await openTestService(NOW)
})
afterAll(() => service.close())

/** Visits of both days to pages with equally many pageviews, on two hosts; some convert. */
function visits(): TestEvent[] {
  return ['2026-03-09', '2026-03-10'].flatMap((day, on) =>
    Array.from({ length: 30 }, (_, at): TestEvent[] => {
      const time = (minute: number) => `${day}T${String(8 + (at % 3)).padStart(2, '0')}:${10 + minute}:00Z`
      const hostname = at % 4 === 0 ? 'docs.example.com' : 'example.com'
      const path = `/page-${(at * (3 + on)) % 11}`
      return [
        { at: time(0), visitor: at, path, hostname },
        { at: time(1), visitor: at, path: `/page-${at % 5}` },
        ...(at % 3 === 0 ? [{ at: time(2), visitor: at, path: '/done', kind: 'event' as const, name: 'signup' }] : []),
      ]
    }).flat(),
  )
}

test('of closed days and the open one, with conversions, for every limit, even after builds are no longer read', async () => {
  const site = await service.addSite('example.com')
  await enableTracker(service, site, { from: '2026-03-01T00:00:00Z', through: NOW })
  const { control, clock, evidence } = service.crawlers
  const matcher = { kind: 'event', event_name: 'signup', property_rules: [] }
  const definition = readConversionInput({ name: 'signup', matcher })
  await addConversion({ control, clock: { ...clock, now: () => clock.now() - 8 * DAY_MS } }, { site, definition })
  await storeEvents(service, site, visits())
  const ctx: TrackerContext = { ...service.crawlers, site, collection: { readableThrough: () => clock.now() } }
  await deriveDays(ctx)
  const reading = await openTrackerReading(ctx, {
    window: '3d',
    reader: 'pages',
    also: (tx, range) => findConverted(tx, site.id, range),
  })
  const { scope } = reading
  expect([scope.builds.length, scope.fact_days.length]).toEqual([1, 1])
  let statements = 0
  const counting: typeof evidence = overrideStore(evidence, {
    all: (statement, limits) => {
      statements++
      return evidence.all(statement, limits)
    },
  })
  for (const converted of [null, planConverted(reading, reading.also)]) {
    for (const limit of [1, 3, 8, 100]) {
      const input = { scope, converted, limit, names_version: Promise.resolve('') }
      const expected = await evidence.all(pageviewCounts(scope, limit, converted))
      expect(await pagesFromSums({ ...ctx, evidence: counting }, input, {})).toEqual(
        expected.map(({ page_id, ...row }) => ({ ...row, page_id })),
      )
      if (converted !== null) expect(expected.some((row) => row.converted > 0) || limit < 100).toBe(true)
      expect(await pagesFromSums(ctx, { ...input, max_pages: 2 }, {})).toBeNull()
    }
    statements = 0
    await pagesFromSums(
      { ...ctx, evidence: counting },
      { scope, converted, limit: 100, names_version: Promise.resolve('') },
      {},
    )
    // Names are known too: only the open day is read.
    expect(statements).toBe(1)
  }
})

test('nothing is kept where no day is read from builds', async () => {
  const scope = {
    site_id: '00000000-0000-4000-8000-000000000000',
    builds: [],
    fact_days: ['2026-03-10'],
    cutoff: Date.parse(NOW),
  }
  const input = { scope, converted: null, limit: 1, names_version: Promise.resolve('') }
  expect(await pagesFromSums(service.crawlers, input, {})).toBeNull()
})
