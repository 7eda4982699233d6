import { type Kysely, sql } from 'kysely'

/** What is kept of a connected Cloudflare zone, and which readings of its hours no longer count. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('zones')
    .addColumn('source_id', 'text', (c) => c.primaryKey().notNull().references('sources.id').onDelete('cascade'))
    .addColumn('zone_id', 'text', (c) => c.notNull())
    .addColumn('zone_name', 'text', (c) => c.notNull())
    .addColumn('sealed_token', 'text')
    .addColumn('proxied', 'text')
    .addColumn('unproxied', 'text')
    .addColumn('hostnames_checked_at', 'bigint')
    .addColumn('not_older_than_ms', 'bigint', (c) => c.notNull())
    .addColumn('max_duration_ms', 'bigint', (c) => c.notNull())
    .addColumn('max_page_size', 'integer', (c) => c.notNull())
    .addColumn('refused_fields', 'text', (c) => c.notNull())
    .addColumn('read_from', 'bigint', (c) => c.notNull())
    .addColumn('failed_polls', 'integer', (c) => c.notNull())
    .addColumn('error_code', 'text')
    .addColumn('last_poll_at', 'bigint')
    .addColumn('next_poll_at', 'bigint', (c) => c.notNull())
    .execute()
  await schema
    .alterTable('hour_readings')
    .addColumn('sampling', 'double precision', (c) => c.check(sql`sampling > 0 AND sampling <= 1`))
    .execute()
  await schema
    .alterTable('hour_readings')
    .addColumn('is_capped', 'integer', (c) => c.notNull().defaultTo(0).check(sql`is_capped IN (0, 1)`))
    .execute()
  await schema
    .createTable('retired_readings')
    .addColumn('source_id', 'text', (c) => c.notNull().references('sources.id').onDelete('cascade'))
    .addColumn('reading', 'bigint', (c) => c.primaryKey().notNull())
    .addColumn('hour', 'bigint', (c) => c.notNull())
    .addColumn('delivery_id', 'text', (c) => c.notNull())
    .addColumn('retired_at', 'bigint', (c) => c.notNull())
    .execute()
  await schema.createIndex('retired_readings_by_source').on('retired_readings').columns(['source_id']).execute()
}
