/**
 * A store of an older version: its closed days of visitors are derived again, and its channels are named less exact.
 */
import { expect, onTestFinished, test } from 'vitest'
import { openTestControl } from '../../support/control.ts'
import { takeBackMissingEvidence } from './take-back.ts'

test('closed days are marked to be derived again, and events stored so far have less exact origins', async () => {
  const store = await openTestControl()
  onTestFinished(() => store.remove())
  for (const column of ['browsers_from', 'old_origins_through'])
    await store.execute(`ALTER TABLE trackers DROP COLUMN ${column}`)
  await takeBackMissingEvidence(store.execute)
  await store.execute("DELETE FROM kysely_migration WHERE name >= '0014'")
  await store.execute(
    "INSERT INTO accounts (id, name, status, access, created_at) VALUES ('a', 'A', 'active', 'trial', 1)",
  )
  await store.execute(
    "INSERT INTO sites (id, account_id, root_domain, created_at, retention_days) VALUES ('s', 'a', 'example.com', 1, 400)",
  )
  await store.execute(
    "INSERT INTO trackers (site_id, enabled_at, last_event_at, sealed_order_key) VALUES ('s', 1, 7, 'k')",
  )
  await store.execute(
    "INSERT INTO tracker_builds (site_id, day, build) VALUES ('s', '2026-03-08', 1), ('s', '2026-03-09', 2)",
  )
  await store.execute("INSERT INTO tracker_dirty_days (site_id, day, marked) VALUES ('s', '2026-03-09', 5)")
  await store.control.close()
  const { db } = await store.open()
  expect(
    await db.selectFrom('dirty_days').select(['day', 'marked']).where('kind', '=', 'sessions').orderBy('day').execute(),
  ).toEqual([
    { day: '2026-03-08', marked: 0 },
    { day: '2026-03-09', marked: 5 },
  ])
  expect(await db.selectFrom('trackers').select(['browsers_from', 'old_origins_through']).execute()).toEqual([
    { browsers_from: null, old_origins_through: 7 },
  ])
})
