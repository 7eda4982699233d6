/**
 * A store of an older version: what counts, what is dirty and what is retired stay so in the tables that every kind
 * shares.
 */
import { expect, onTestFinished, test } from 'vitest'
import { openTestControl } from '../../support/control.ts'
import { takeBackDerivedDays } from './take-back.ts'

test('dirty days, builds and retired rows of every kind are kept; roll-ups of crawlers are to be derived again', async () => {
  const store = await openTestControl()
  onTestFinished(() => store.remove())
  await takeBackDerivedDays(store.execute)
  await store.execute(
    "INSERT INTO accounts (id, name, status, access, created_at) VALUES ('a', 'A', 'active', 'trial', 1)",
  )
  await store.execute(
    "INSERT INTO sites (id, account_id, root_domain, created_at, retention_days) VALUES ('s', 'a', 'example.com', 1, 400)",
  )
  await store.execute(
    `INSERT INTO sources (id, site_id, source_type, name, connection_status, is_primary, created_at, has_statuses)
     VALUES ('zone', 's', 'cloudflare_zone', 'example.com', 'live', 1, 1, 0)`,
  )
  const hour = Date.parse('2026-03-09T23:00:00Z')
  for (const [table, values] of [
    ['dirty_days', "('s', '2026-03-08', 'd1', 'written'), ('s', '2026-03-09', 'live:1', 'writing')"],
    ['day_builds', "('s', '2026-03-07', 3), ('s', '2026-03-08', 4)"],
    ['retired_builds', "('s', '2026-03-08', 2, 50)"],
    ['tracker_dirty_days', "('s', '2026-03-09', 7), ('s', '2026-03-06', 0)"],
    ['tracker_builds', "('s', '2026-03-06', 5)"],
    ['definition_builds', "('s', 'funnel', '2026-03-06', 6)"],
    [
      'retired_tracker_builds',
      "('s', '2026-03-06', 1, '', 51), ('s', '2026-03-06', 1, 'funnel', 52), ('s', '2026-02-01', 0, '', 53)",
    ],
    ['retired_readings', `('zone', 900, ${hour}, 'd2', 54)`],
  ]) {
    await store.execute(`INSERT INTO ${table} VALUES ${values}`)
  }
  await store.control.close()
  const { db } = await store.open()
  const dirty = await db.selectFrom('dirty_days').selectAll().orderBy('kind').orderBy('day').orderBy('cause').execute()
  expect(dirty.map((row) => [row.kind, row.day, row.cause, row.state, row.marked])).toEqual([
    // Later layouts add up months of roll-ups.
    ['crawler_months', '2026-03-01', 'layout', 'written', 1],
    ['crawlers', '2026-03-07', 'layout', 'written', 0],
    ['crawlers', '2026-03-08', 'd1', 'written', 1],
    ['crawlers', '2026-03-08', 'layout', 'written', 0],
    ['crawlers', '2026-03-09', 'live:1', 'writing', 1],
    ['sessions', '2026-03-06', 'events', 'written', 0],
    ['sessions', '2026-03-09', 'events', 'written', 7],
  ])
  const builds = await db.selectFrom('builds').selectAll().orderBy('build').execute()
  expect(builds.map((row) => [row.kind, row.day, row.part, row.build])).toEqual([
    ['crawlers', '2026-03-07', '', 3],
    ['crawlers', '2026-03-08', '', 4],
    ['sessions', '2026-03-06', '', 5],
    ['definitions', '2026-03-06', 'funnel', 6],
  ])
  const retired = await db.selectFrom('retired_builds').selectAll().orderBy('retired_at').execute()
  expect(retired.map((row) => [row.kind, row.day, row.part, row.build, row.delivery_id, row.retired_at])).toEqual([
    ['crawlers', '2026-03-08', '', 2, '', 50],
    ['sessions', '2026-03-06', '', 1, '', 51],
    ['definitions', '2026-03-06', 'funnel', 1, '', 52],
    ['visitor_facts', '2026-02-01', '', 0, '', 53],
    ['zone_readings', '2026-03-09', 'zone', 900, 'd2', 54],
  ])
  await db.deleteFrom('sites').execute()
  for (const table of ['dirty_days', 'builds'] as const)
    expect(await db.selectFrom(table).select('site_id').execute(), table).toEqual([])
})
