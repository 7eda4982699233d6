import { type Kysely, sql } from 'kysely'

/** What live sources leave besides uploads: who of several senders watched, how sampled, what was backfilled, which reading of an hour counts. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('coverage_intervals')
    .addColumn('sender', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
  await schema
    .alterTable('coverage_intervals')
    .addColumn('sampling', 'double precision', (c) => c.check(sql`sampling > 0 AND sampling <= 1`))
    .execute()
  await schema
    .alterTable('coverage_intervals')
    .addColumn('is_backfill', 'integer', (c) => c.notNull().defaultTo(0).check(sql`is_backfill IN (0, 1)`))
    .execute()
  await schema
    .createTable('senders')
    .addColumn('source_id', 'text', (c) => c.notNull().references('sources.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('last_record_at', 'bigint', (c) => c.notNull())
    .addColumn('last_received_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('senders_key', ['source_id', 'name'])
    .execute()
  await schema
    .createTable('sender_silences')
    .addColumn('source_id', 'text', (c) => c.notNull().references('sources.id').onDelete('cascade'))
    .addColumn('sender', 'text', (c) => c.notNull())
    .addColumn('day', 'text', (c) => c.notNull().check(sql`length(day) = 10`))
    .addColumn('longest_ms', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('sender_silences_key', ['source_id', 'sender', 'day'])
    .execute()
  await schema
    .createTable('hour_readings')
    .addColumn('source_id', 'text', (c) => c.notNull().references('sources.id').onDelete('cascade'))
    .addColumn('hour', 'bigint', (c) => c.notNull())
    .addColumn('reading', 'bigint', (c) => c.notNull())
    .addColumn('read_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('hour_readings_key', ['source_id', 'hour'])
    .execute()
}
