/** Makes a store of today one of an older version, so that a test can bring it up to date again. */

type Execute = (sql: string) => Promise<unknown>

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

const SIGN_IN_AND_SITES = [
  'deprecated_uses',
  'site_aliases',
  'sessions',
  'sign_in_tries',
  'import_receipts',
  'sign_in_links',
]

const NODES = ['node_use', 'nodes', 'turns', 'cloudflare_questions']

const ALERTS = ['alert_deliveries', 'alerts', 'alert_receivers', 'alerted_issues', 'alert_conditions']

const BRANDS = [
  'classifications',
  'sentiment_settings',
  'scan_runs',
  'scans',
  'scan_schedules',
  'engine_calls',
  'engine_months',
  'engine_settings',
  'search_connections',
  'search_days',
  'fixes',
  'mention_versions',
  'plan_engines',
  'question_batches',
  'question_runs',
  'questions',
  'competitors',
  'brands',
]

/** Takes back what the steps from 0030 on made, and the ones after them. */
export async function takeBackAccountApi(execute: Execute): Promise<void> {
  for (const table of ['sender_records', 'earlier_order_keys']) await execute(`DROP TABLE ${table}`)
  for (const table of NODES) await execute(`DROP TABLE ${table}`)
  await execute('ALTER TABLE deliveries DROP COLUMN node_id')
  for (const table of SIGN_IN_AND_SITES) await execute(`DROP TABLE ${table}`)
  for (const table of [...BRANDS, 'account_tokens']) await execute(`DROP TABLE ${table}`)
  for (const column of ['access_ends_at', 'active_question_limit']) {
    await execute(`ALTER TABLE accounts DROP COLUMN ${column}`)
  }
  await execute('ALTER TABLE users DROP COLUMN account_role')
  await execute("DELETE FROM kysely_migration WHERE name >= '0030'")
}

/** Takes back what the step 0024 made, and the ones after it. */
async function takeBackAlerts(execute: Execute): Promise<void> {
  await takeBackAccountApi(execute)
  for (const table of ALERTS) await execute(`DROP TABLE ${table}`)
  await execute("DELETE FROM kysely_migration WHERE name >= '0024'")
}

const ISSUES = ['impostor_refusals', 'intended_marks', 'issue_changes', 'issue_members', 'issue_evidence', 'issues']

/** Takes back what the step 0020 made, and the ones after it. */
async function takeBackIssues(execute: Execute): Promise<void> {
  await takeBackAlerts(execute)
  for (const table of ISSUES) await execute(`DROP TABLE ${table}`)
  await execute('ALTER TABLE sources DROP COLUMN vantage')
  await execute("DELETE FROM kysely_migration WHERE name >= '0020'")
}

/** Takes back what the step 0019 made, and the ones after it. */
export async function takeBackDevelopment(execute: Execute): Promise<void> {
  await takeBackIssues(execute)
  for (const table of ['development_origins', 'development_counts']) await execute(`DROP TABLE ${table}`)
  await execute("DELETE FROM kysely_migration WHERE name >= '0019'")
}

/** Takes back what the step 0018 made, and the ones after it. */
export async function takeBackInspections(execute: Execute): Promise<void> {
  await takeBackDevelopment(execute)
  for (const table of ['inspections', 'robots_snapshots', 'robots_bodies', 'access_checks'])
    await execute(`DROP TABLE ${table}`)
  await execute(`
    CREATE TABLE snippet_inspections (
      site_id text NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
      inspected_at bigint NOT NULL,
      outcome text NOT NULL,
      CONSTRAINT snippet_inspections_key PRIMARY KEY (site_id))`)
  await execute("DELETE FROM kysely_migration WHERE name >= '0018'")
}

/** Takes back what the step 0017 made, and the ones after it. */
export async function takeBackDerivedDays(execute: Execute): Promise<void> {
  await takeBackInspections(execute)
  for (const table of ['dirty_days', 'builds', 'retired_builds']) await execute(`DROP TABLE ${table}`)
  for (const [table, columns] of Object.entries(DERIVED_BEFORE_0017))
    await execute(`CREATE TABLE ${table} (${columns})`)
  await execute("DELETE FROM kysely_migration WHERE name >= '0017'")
}

/** Takes back what the step 0016 did, and the ones after it. */
export async function takeBackSourceNames(execute: Execute): Promise<void> {
  await takeBackDerivedDays(execute)
  await execute('ALTER TABLE sources RENAME COLUMN name TO server')
  await execute("DELETE FROM kysely_migration WHERE name >= '0016'")
}

/** Takes back what the step 0015 made, and the ones after it. */
export async function takeBackMissingEvidence(execute: Execute): Promise<void> {
  await takeBackSourceNames(execute)
  await execute('DROP TABLE refused_evidence')
  await execute('ALTER TABLE tracker_settings DROP COLUMN honours_opt_out')
  await execute('DROP TABLE collection_counts')
  await execute(`
    CREATE TABLE collection_counts (
      site_id text NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
      day text NOT NULL CHECK (length(day) = 10),
      outcome text NOT NULL CHECK (outcome IN ('accepted', 'bot', 'refused')),
      reason text NOT NULL,
      events bigint NOT NULL,
      last_at bigint NOT NULL,
      CONSTRAINT collection_counts_key PRIMARY KEY (site_id, day, outcome, reason))`)
  await execute("DELETE FROM kysely_migration WHERE name >= '0015'")
}
