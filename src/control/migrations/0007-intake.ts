import { type Kysely, sql } from 'kysely'

/** Who may deliver over HTTPS, and which batches have been answered. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createIndex('sources_one_intake_per_name')
    .unique()
    .on('sources')
    .columns(['site_id', 'server'])
    .where(sql.ref('source_type'), '=', sql.lit('https_intake'))
    .execute()
  await schema
    .createTable('source_tokens')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('source_id', 'text', (c) => c.notNull().references('sources.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('prefix', 'text', (c) => c.notNull())
    .addColumn('secret_sha256', 'text', (c) => c.notNull().unique())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('revoked_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .execute()
  await schema.createIndex('source_tokens_by_source').on('source_tokens').columns(['source_id']).execute()
  await schema
    .createTable('intake_batches')
    .addColumn('source_id', 'text', (c) => c.notNull().references('sources.id').onDelete('cascade'))
    .addColumn('batch', 'text', (c) => c.notNull())
    .addColumn('idempotency_key', 'text')
    .addColumn('answer', 'text', (c) => c.notNull())
    .addColumn('answered_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('intake_batches_key', ['source_id', 'batch'])
    .execute()
  await schema
    .createIndex('intake_batches_by_key')
    .on('intake_batches')
    .columns(['source_id', 'idempotency_key'])
    .execute()
  await schema.createIndex('intake_batches_by_age').on('intake_batches').columns(['answered_at']).execute()
}
