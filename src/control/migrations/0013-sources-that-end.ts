import type { Kysely } from 'kysely'

/** Uploads moved to a named server, senders that are retired, who counts the open day, and hours of a zone that keep failing. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('sources').addColumn('moved_to', 'text').execute()
  await schema.alterTable('senders').addColumn('retired_at', 'bigint').execute()
  await schema
    .createTable('open_day_winners')
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('host', 'text', (c) => c.notNull())
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('source_id', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('open_day_winners_key', ['site_id', 'host'])
    .execute()
  await schema
    .createTable('failed_hours')
    .addColumn('source_id', 'text', (c) => c.notNull().references('sources.id').onDelete('cascade'))
    .addColumn('hour', 'bigint', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('error_code', 'text', (c) => c.notNull())
    .addColumn('next_try_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('failed_hours_key', ['source_id', 'hour'])
    .execute()
}
