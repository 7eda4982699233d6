import Type from 'typebox'
import { beforeEach, describe, expect, test } from 'vitest'
import { markRecentDaysDirty } from '#backup/mark-dirty.ts'
import { DAY_MS, MINUTE_MS } from '#clock.ts'
import { deleteRetired } from '#derived/delete-retired-builds.ts'
import { render } from '#evidence/fragment.ts'
import { overrideStore } from '#evidence/override-store.ts'
import { count, rows } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { eraseRemovedSites } from '#jobs/erase-removed-sites.ts'
import { retirables } from '#jobs/retirables.ts'
import { enforceVisitorRetention } from '#retention/enforce-visitor-retention.ts'
import type { Site } from '#sites/site.ts'
import { removeSite } from '#sites/sites.ts'
import { deriveDays } from '#tracker/sessions/derive-sessions.ts'
import { serviceOfFile } from '../../support/fresh.ts'
import type { TestService } from '../../support/service.ts'
import { enableTracker, storeEvents } from '../../support/tracker.ts'

const NOW = '2026-03-10T12:00:00.000Z'
const TABLES = ['sessions', 'tracker_daily', 'source_daily', 'tracker_page_daily', 'journey_daily'] as const

let service: TestService
let site: Site
let readable: number
const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh(NOW)
  site = await service.addSite('example.com')
  readable = service.clock.now()
  await enableTracker(service, site, { from: '2026-03-01T00:00:00Z', through: NOW })
  await storeEvents(service, site, [
    { at: '2026-03-08T10:00:00Z', visitor: 1 },
    { at: '2026-03-09T10:00:00Z', visitor: 1 },
    { at: '2026-03-09T10:01:00Z', visitor: 1, path: '/b' },
    { at: '2026-03-10T10:00:00Z', visitor: 1 },
  ])
})

const context = (evidence = service.crawlers.evidence) => ({
  ...service.crawlers,
  evidence,
  collection: { readableThrough: () => readable },
})
const db = () => service.installation.control.db
const dirty = async () =>
  (await db().selectFrom('dirty_days').select('day').distinct().orderBy('day').execute()).map((row) => row.day)
const builds = () =>
  db().selectFrom('builds').select(['day', 'build']).where('kind', '=', 'sessions').orderBy('day').execute()
const retired = () => db().selectFrom('retired_builds').selectAll().orderBy('build').execute()

const Stored = Type.Object({ name: Type.String(), n: count() })
async function stored(): Promise<Record<string, number>> {
  const found = await service.crawlers.evidence.all(rows(Stored)`
    SELECT 'events' AS name, count() AS n FROM spoor.events
    UNION ALL SELECT 'sessions', count() FROM spoor.sessions
    UNION ALL SELECT 'tracker_daily', count() FROM spoor.tracker_daily
    UNION ALL SELECT 'source_daily', count() FROM spoor.source_daily
    UNION ALL SELECT 'tracker_page_daily', count() FROM spoor.tracker_page_daily
    UNION ALL SELECT 'journey_daily', count() FROM spoor.journey_daily
    UNION ALL SELECT 'definition_daily', count() FROM spoor.definition_daily
    UNION ALL SELECT 'pages', count() FROM spoor.pages FINAL`)
  return Object.fromEntries(found.map(({ name, n }) => [name, n]))
}

/** The real store, in which nothing can be inserted into one table. */
function failingAt(table: string): EvidenceStore {
  const { evidence } = service.crawlers
  return overrideStore(evidence, {
    async run(command, limits) {
      if (render(command).text.includes(`INSERT INTO spoor.${table} `)) throw new Error('the disk went away')
      return evidence.run(command, limits)
    },
  })
}

describe('derivation of closed days', () => {
  test('closed days are derived, the open one is not, nor one that events still wait for', async () => {
    readable = Date.parse('2026-03-09T23:59:59.999Z')
    expect(await deriveDays(context())).toBe(1)
    expect(await dirty()).toEqual(['2026-03-09', '2026-03-10'])
    readable = Date.parse(NOW)
    expect(await deriveDays(context())).toBe(1)
    expect(await deriveDays(context())).toBe(0)
    expect(await dirty()).toEqual(['2026-03-10'])
    expect((await builds()).map((row) => row.day)).toEqual(['2026-03-08', '2026-03-09'])
    expect(await retired()).toEqual([])
    expect(await stored()).toMatchObject({ sessions: 2, tracker_daily: 2, journey_daily: 2, tracker_page_daily: 3 })
  })

  /** More than any build that is numbered by time. */
  const NEWEST = Number.MAX_SAFE_INTEGER

  test('a late event makes a new build; the old one and what definitions counted go ten minutes later', async () => {
    await deriveDays(context())
    const [, ninth] = await builds()
    const definition_id = crypto.randomUUID()
    await db()
      .insertInto('builds')
      .values({ site_id: site.id, kind: 'definitions', part: definition_id, day: '2026-03-09', build: NEWEST })
      .execute()
    await storeEvents(service, site, [{ at: '2026-03-09T10:02:00Z', visitor: 2 }])
    expect(await deriveDays(context())).toBe(1)
    expect((await builds())[1]?.build).toBeGreaterThan(ninth?.build as number)
    expect((await retired()).map((row) => [row.day, row.build, row.part])).toEqual([
      ['2026-03-09', ninth?.build, ''],
      ['2026-03-09', NEWEST, definition_id],
    ])
    expect(await db().selectFrom('builds').selectAll().where('kind', '=', 'definitions').execute()).toEqual([])
    expect(await stored()).toMatchObject({ sessions: 4 })
    service.clock.advance(10 * MINUTE_MS)
    expect(await deleteRetired(context(), retirables(context()))).toBe(0)
    service.clock.advance(1)
    expect(await deleteRetired(context(), retirables(context()))).toBe(2)
    expect(await stored()).toMatchObject({ events: 5, sessions: 3, tracker_daily: 2, journey_daily: 3 })
  })

  test.each(TABLES)('a process that dies before %s is written leaves nothing that counts', async (table) => {
    await expect(deriveDays(context(failingAt(table)))).rejects.toThrow('2 builds of sessions could not be derived')
    expect(await builds()).toEqual([])
    expect(await dirty()).toHaveLength(3)
    expect(await retired()).toHaveLength(2)
    service.clock.advance(11 * MINUTE_MS)
    await deleteRetired(context(), retirables(context()))
    expect(await stored()).toMatchObject(Object.fromEntries(TABLES.map((name) => [name, 0])))
    expect(await deriveDays(context())).toBe(2)
    expect(await stored()).toMatchObject({ sessions: 2, tracker_daily: 2 })
  })

  test('a mark that rises while a day is derived keeps it dirty', async () => {
    const evidence = failingAt('nothing')
    const { run } = evidence
    evidence.run = async (command, limits) => {
      if (render(command).text.includes('INSERT INTO spoor.journey_daily')) {
        await db().updateTable('dirty_days').set({ marked: 1_000_000 }).where('day', '=', '2026-03-09').execute()
      }
      return run(command, limits)
    }
    await deriveDays(context(evidence))
    expect(await dirty()).toEqual(['2026-03-09', '2026-03-10'])
  })

  test('journeys fold repeats, end at ten pages and are marked as continuing', async () => {
    const walk = (visitor: number, paths: readonly string[]) =>
      paths.map((path, index) => ({ at: `2026-03-07T10:0${index % 10}:0${Math.floor(index / 10)}Z`, visitor, path }))
    const eleven = [...'abcdefghij'].map((name) => `/${name}`)
    await storeEvents(service, site, [
      ...walk(1, ['/a', '/a', '/b', '/a']),
      ...walk(2, ['/a', '/b', '/b', '/a']),
      ...walk(3, eleven),
      ...walk(4, [...eleven]).concat({ at: '2026-03-07T10:20:00Z', visitor: 4, path: '/k' }),
      { at: '2026-03-07T10:20:00Z', visitor: 5, kind: 'event', name: 'signup', path: '/a' },
    ])
    await deriveDays(context())
    const Journey = Type.Object({
      length: Type.Integer(),
      goes_on: Type.Integer(),
      sessions: count(),
      is_hash: Type.Integer(),
    })
    expect(
      await service.crawlers.evidence.all(rows(Journey)`
        SELECT toUInt32(length(pages)) AS length, toUInt8(is_continued) AS goes_on, sessions, toUInt8(journey = cityHash64(pages)) AS is_hash
        FROM spoor.journey_daily WHERE day = '2026-03-07' ORDER BY length, goes_on`),
    ).toEqual([
      { length: 3, goes_on: 0, sessions: 2, is_hash: 1 },
      { length: 10, goes_on: 0, sessions: 1, is_hash: 1 },
      { length: 10, goes_on: 1, sessions: 1, is_hash: 1 },
    ])
  })
})

describe('what ends', () => {
  test('days beyond the retention are deleted at once, and their facts and page names minutes later', async () => {
    await storeEvents(service, site, [{ at: '2026-03-08T11:00:00Z', stream: 'bot', path: '/only-then' }])
    await deriveDays(context())
    await db().updateTable('sites').set({ retention_days: 1 }).where('id', '=', site.id).execute()
    service.clock.advance(DAY_MS)
    expect(await enforceVisitorRetention(service.crawlers)).toBe(2)
    expect(await enforceVisitorRetention(service.crawlers)).toBe(0)
    expect(await builds()).toEqual([])
    expect(await dirty()).toEqual(['2026-03-10'])
    expect((await db().selectFrom('collection_counts').select('day').execute()).map((row) => row.day)).toEqual([
      '2026-03-10',
    ])
    expect(await stored()).toMatchObject({ events: 5, sessions: 2, pages: 3 })
    service.clock.advance(11 * MINUTE_MS)
    await deleteRetired(context(), retirables(context()))
    expect(await stored()).toEqual({
      ...Object.fromEntries(TABLES.map((name) => [name, 0])),
      events: 1,
      definition_daily: 0,
      pages: 1,
    })
    expect(await retired()).toEqual([])
  })

  test('nothing of a removed site is left', async () => {
    await deriveDays(context())
    await removeSite(service.installation.operator, {
      account_id: service.installation.operator.account_id,
      site_id: site.id,
    })
    await eraseRemovedSites(service.crawlers)
    expect(Object.values(await stored())).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
  })

  test('after a restore the last 48 hours are derived again, and older days do not change', async () => {
    await storeEvents(service, site, [{ at: '2026-03-05T10:00:00Z' }])
    await deriveDays(context())
    await markRecentDaysDirty(service.crawlers, Date.parse(NOW))
    expect(await dirty()).toEqual(['2026-03-08', '2026-03-09', '2026-03-10'])
    expect((await builds()).map((row) => row.day)).toEqual(['2026-03-05'])
    expect(await retired()).toHaveLength(2)
  })
})
