import { type Kysely, sql } from 'kysely'

/** How long a site keeps evidence, when each day of a source was received, and which days are on their way out. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database
  await schema
    .alterTable('sites')
    .addColumn('retention_days', 'integer', (c) => c.notNull().defaultTo(400).check(sql`retention_days > 0`))
    .execute()
  await schema
    .createTable('day_receipts')
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('source_id', 'text', (c) => c.notNull().references('sources.id').onDelete('cascade'))
    .addColumn('day', 'text', (c) => c.notNull().check(sql`length(day) = 10`))
    .addColumn('received_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('day_receipts_key', ['source_id', 'day'])
    .execute()
  await schema.createIndex('day_receipts_by_age').on('day_receipts').columns(['site_id', 'received_at']).execute()
  await schema
    .createTable('expired_days')
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('source_id', 'text', (c) => c.notNull().references('sources.id').onDelete('cascade'))
    .addColumn('day', 'text', (c) => c.notNull().check(sql`length(day) = 10`))
    .addColumn('expired_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('expired_days_key', ['source_id', 'day'])
    .execute()
  await schema.createIndex('expired_days_by_site').on('expired_days').columns(['site_id']).execute()
}
