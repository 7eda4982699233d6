/** Takes steps of the layout back, so that a test can fill the tables of an older version and open the store anew. */
import type { TestControl } from '../../support/control.ts'

const DERIVED_BEFORE_0017 = {
  dirty_days: 'site_id text, day text, delivery_id text, state text, PRIMARY KEY (site_id, day, delivery_id)',
  tracker_dirty_days: 'site_id text, day text, marked bigint, PRIMARY KEY (site_id, day)',
  day_builds: 'site_id text, day text, build bigint, PRIMARY KEY (site_id, day)',
  tracker_builds: 'site_id text, day text, build bigint, PRIMARY KEY (site_id, day)',
  definition_builds:
    'site_id text, definition_id text, day text, build bigint, PRIMARY KEY (site_id, definition_id, day)',
  retired_builds: 'site_id text, day text, build bigint, retired_at bigint, PRIMARY KEY (site_id, day, build)',
  retired_tracker_builds:
    'site_id text, day text, build bigint, definition_id text, retired_at bigint, PRIMARY KEY (site_id, day, build, definition_id)',
  retired_readings: 'source_id text, reading bigint PRIMARY KEY, hour bigint, delivery_id text, retired_at bigint',
}

/** Leaves the store as it was before the step of this number; `undo` is what takes back the steps between it and the one before 0017. */
export async function undoSteps(store: TestControl, from: string, undo: readonly string[] = []): Promise<void> {
  for (const table of ['dirty_days', 'builds', 'retired_builds']) await store.execute(`DROP TABLE ${table}`)
  for (const [table, columns] of Object.entries(DERIVED_BEFORE_0017))
    await store.execute(`CREATE TABLE ${table} (${columns})`)
  for (const statement of undo) await store.execute(statement)
  await store.execute(`DELETE FROM kysely_migration WHERE name >= '${from}'`)
}

/** An account with one site, `s`, as every version has had them. */
export async function addOldSite(store: TestControl): Promise<void> {
  await store.execute(
    "INSERT INTO accounts (id, name, status, access, created_at) VALUES ('a', 'A', 'active', 'trial', 1)",
  )
  await store.execute(
    "INSERT INTO sites (id, account_id, root_domain, created_at, retention_days) VALUES ('s', 'a', 'example.com', 1, 400)",
  )
}
