import { type Kysely, sql } from 'kysely'

/** Repeats and opted-out visitors are counted too, and refused events are known by what they would have said (rules 6). */
export async function up(database: Kysely<unknown>): Promise<void> {
  await allowMoreOutcomes(database)
  await database.schema
    .createTable('refused_evidence')
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('day', 'text', (c) => c.notNull().check(sql`length(day) = 10`))
    .addColumn('kind', 'text', (c) => c.notNull().check(sql`kind IN ('key', 'pageview', 'event', 'revenue')`))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('events', 'bigint', (c) => c.notNull())
    .addColumn('visitors', 'integer', (c) => c.notNull())
    .addColumn('visitor_hashes', 'text', (c) => c.notNull())
    .addColumn('first_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('refused_evidence_key', ['site_id', 'day', 'kind', 'name'])
    .execute()
  await database.schema
    .alterTable('tracker_settings')
    .addColumn('honours_opt_out', 'integer', (c) => c.notNull().defaultTo(1))
    .execute()
}

/** SQLite cannot change the check of a column, so that the table is made anew. */
async function allowMoreOutcomes(database: Kysely<unknown>): Promise<void> {
  const { schema } = database
  await schema
    .createTable('collection_counts_0015')
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('day', 'text', (c) => c.notNull().check(sql`length(day) = 10`))
    .addColumn('outcome', 'text', (c) =>
      c.notNull().check(sql`outcome IN ('accepted', 'bot', 'refused', 'repeated', 'opted_out')`),
    )
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('events', 'bigint', (c) => c.notNull())
    .addColumn('last_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('collection_counts_0015_key', ['site_id', 'day', 'outcome', 'reason'])
    .execute()
  await sql`
    INSERT INTO collection_counts_0015 (site_id, day, outcome, reason, events, last_at)
    SELECT site_id, day, outcome, reason, events, last_at FROM collection_counts`.execute(database)
  await schema.dropTable('collection_counts').execute()
  await schema.alterTable('collection_counts_0015').renameTo('collection_counts').execute()
}
