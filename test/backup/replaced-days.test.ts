/** A control store that was dumped before evidence was copied, in whose time days were derived again. */
import { beforeEach, expect, test } from 'vitest'
import { markReplacedDays } from '#backup/replaced-days.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#clock.ts'
import { PURPOSES } from '#contract/vocabulary.ts'
import { readPerformance } from '#crawlers/performance.ts'
import { crawlerRollUps, rebuildDirtyDays } from '#crawlers/roll-ups/rebuild-roll-ups.ts'
import { deleteRetired } from '#derived/delete-retired-builds.ts'
import { DerivedDays } from '#derived/derived-days.ts'
import { deriveDefinitions } from '#tracker/definitions/derive-definitions.ts'
import { deriveDays, visitorSessions } from '#tracker/sessions/derive-sessions.ts'
import { serviceOfFile } from '../support/fresh.ts'
import { GPTBOT, openTestIntake } from '../support/intake.ts'
import type { TestService } from '../support/service.ts'
import { addDefinedSite, DAY, readAll, SOME, storeVisits } from '../tracker/sessions/open-day-site.ts'

const shared = serviceOfFile()
let service: TestService
beforeEach(async () => {
  service = await shared.fresh('2026-03-11T12:00:00.000Z')
})

/** What a dump holds of derived days. */
async function dump() {
  const { db } = service.installation.control
  const builds = await db.selectFrom('builds').selectAll().execute()
  const dirty = await db.selectFrom('dirty_days').selectAll().execute()
  const last = await db.selectFrom('settings').selectAll().where('name', '=', 'next_build').executeTakeFirstOrThrow()
  return { builds, dirty, last }
}

async function restore({ builds, dirty, last }: Awaited<ReturnType<typeof dump>>): Promise<void> {
  const { db } = service.installation.control
  for (const table of ['builds', 'dirty_days', 'retired_builds'] as const) await db.deleteFrom(table).execute()
  await db.insertInto('builds').values(builds).execute()
  if (dirty.length > 0) await db.insertInto('dirty_days').values(dirty).execute()
  await db.updateTable('settings').set({ value: last.value }).where('name', '=', 'next_build').execute()
}

async function openCrawled() {
  const intake = await openTestIntake(service)
  const yesterday = service.clock.now() - DAY_MS
  let requests = 0
  return {
    deliver: () =>
      intake.send([
        {
          timestamp: new Date(yesterday + requests++).toISOString(),
          host: 'example.com',
          path: '/a',
          status: 200,
          method: 'GET',
          user_agent: GPTBOT,
        },
      ]),
    rebuild: () => rebuildDirtyDays(service.crawlers),
    // As a process that has just started: it remembers nothing of a build.
    read: async () => {
      const ctx = { ...service.crawlers, derived: new DerivedDays(), site: intake.site }
      return (await readPerformance(ctx, { window: '7d', purpose: [...PURPOSES] })).observed_request_count
    },
  }
}

test('a day of crawlers that was derived again since is read from facts, and derived again', async () => {
  const { deliver, rebuild, read } = await openCrawled()
  await deliver()
  await rebuild()
  const dumped = await dump()
  await deliver()
  await rebuild()
  service.clock.advance(HOUR_MS)
  await deleteRetired(service.crawlers, [crawlerRollUps(service.crawlers, 'at_once')])
  expect(await markReplacedDays(service.crawlers)).toBe(0)
  await restore(dumped)

  expect(await markReplacedDays(service.crawlers)).toBe(1)
  expect(await read()).toBe(2)
  expect(await markReplacedDays(service.crawlers)).toBe(0)
  await rebuild()
  expect(await read()).toBe(2)
})

test('a build does not get a number that is already in the evidence, so that a day counts once', async () => {
  const { deliver, rebuild, read } = await openCrawled()
  await deliver()
  await rebuild()
  const dumped = await dump()
  await deliver()
  await rebuild()
  await restore(dumped)

  service.clock.advance(MINUTE_MS)
  await deliver()
  await rebuild()
  expect(await read()).toBe(3)
})

test('a day of visitors is derived again, with the counts of definitions', async () => {
  service.clock.set('2026-03-11T12:00:00.000Z')
  const site = await addDefinedSite(service)
  service.clock.set('2026-03-11T12:00:00.000Z')
  const fresh = () => ({ ...site, derived: new DerivedDays() })
  const derive = async () => {
    await deriveDays(fresh())
    await deriveDefinitions(fresh())
  }
  await storeVisits(service, site, SOME)
  await derive()
  const dumped = await dump()
  await storeVisits(service, site, [{ at: `${DAY}T18:00:00Z`, visitor: 900, path: '/a' }])
  await derive()
  const counted = await readAll(fresh())
  service.clock.advance(HOUR_MS)
  await deleteRetired(site, [visitorSessions(site)])
  service.clock.advance(-HOUR_MS)
  await restore(dumped)

  expect(await markReplacedDays(site)).toBe(1)
  expect(await readAll(fresh())).toEqual(counted)
  await derive()
  expect(await readAll(fresh())).toEqual(counted)
})
