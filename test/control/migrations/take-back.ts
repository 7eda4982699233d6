/** Makes a store of today one of an older version, so that a test can bring it up to date again. */

type Execute = (sql: string) => Promise<unknown>

/** Takes back what the step 0016 did. */
export async function takeBackSourceNames(execute: Execute): Promise<void> {
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
