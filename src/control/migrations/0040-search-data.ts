import { type Kysely, sql } from 'kysely'

/** Which days of which search data are stored, and connections that read it by themselves. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('search_days')
    .addColumn('brand_id', 'text', (c) => c.notNull().references('brands.id').onDelete('cascade'))
    .addColumn('source', 'text', (c) => c.notNull().check(sql`source IN ('google', 'bing')`))
    .addColumn('property', 'text', (c) => c.notNull())
    .addColumn('search_type', 'text', (c) => c.notNull())
    .addColumn('dimensions', 'text', (c) => c.notNull())
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('last_day', 'text', (c) => c.notNull())
    .addColumn('is_weekly', 'integer', (c) => c.notNull().check(sql`is_weekly IN (0, 1)`))
    .addColumn('is_final', 'integer', (c) => c.notNull().check(sql`is_final IN (0, 1)`))
    .addColumn('is_connected', 'integer', (c) => c.notNull().check(sql`is_connected IN (0, 1)`))
    .addColumn('stored_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('search_days_key', [
      'brand_id',
      'source',
      'property',
      'search_type',
      'dimensions',
      'day',
      'last_day',
    ])
    .execute()
  await schema
    .createTable('search_connections')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('brand_id', 'text', (c) => c.notNull().references('brands.id').onDelete('cascade'))
    .addColumn('source', 'text', (c) => c.notNull().check(sql`source IN ('google', 'bing')`))
    .addColumn('property', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) =>
      c.notNull().check(sql`state IN ('pending', 'live', 'error', 'revoked', 'disconnected')`),
    )
    .addColumn('sealed_key', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('last_poll_at', 'bigint')
    .addColumn('next_poll_at', 'bigint', (c) => c.notNull())
    .addColumn('failed_polls', 'integer', (c) => c.notNull())
    .addColumn('error_code', 'text')
    .addColumn('read_from', 'text')
    .addUniqueConstraint('search_connections_of_brand', ['brand_id', 'source', 'property'])
    .execute()
  await schema.createIndex('search_connections_due').on('search_connections').columns(['next_poll_at']).execute()
}
