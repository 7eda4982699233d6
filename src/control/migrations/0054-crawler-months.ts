import { type Kysely, sql } from 'kysely'

/** Months with roll-ups of crawlers are marked, so that their sums are derived once they have ended. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`INSERT INTO dirty_days (site_id, day, kind, cause, state, marked)
    SELECT DISTINCT site_id, substr(day, 1, 7) || '-01', 'crawler_months', 'layout', 'written', 1
    FROM builds WHERE kind = 'crawlers'`.execute(database)
}
