import { type Kysely, sql } from 'kysely'

/** From when browsers are covered, beyond retention; events that were stored without own referrers; and days of visitors to derive again with the pages of all of their events. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('trackers').addColumn('browsers_from', 'text').execute()
  await database.schema.alterTable('trackers').addColumn('old_origins_through', 'bigint').execute()
  await sql`UPDATE trackers SET old_origins_through = last_event_at`.execute(database)
  // Until its new build is there a day is read from facts, which have these pages.
  await sql`
    INSERT INTO tracker_dirty_days (site_id, day, marked)
    SELECT site_id, day, 1 FROM tracker_builds WHERE true
    ON CONFLICT (site_id, day) DO NOTHING`.execute(database)
}
