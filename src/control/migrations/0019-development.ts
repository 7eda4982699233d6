import { type Kysely, sql } from 'kysely'

/** Where a site's developers try the tracker, and what became of the events that came from there (rules 6.14). */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('development_origins')
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('origin', 'text', (c) => c.notNull())
    .addColumn('added_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('development_origins_key', ['site_id', 'origin'])
    .execute()
  await schema
    .createTable('development_counts')
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('day', 'text', (c) => c.notNull().check(sql`length(day) = 10`))
    .addColumn('outcome', 'text', (c) =>
      c.notNull().check(sql`outcome IN ('accepted', 'bot', 'refused', 'repeated', 'opted_out')`),
    )
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('events', 'bigint', (c) => c.notNull())
    .addColumn('last_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('development_counts_key', ['site_id', 'day', 'outcome', 'reason'])
    .execute()
}
