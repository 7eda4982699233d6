import type { Kysely } from 'kysely'

/** Receipts of imported logs, for whoever looks at the sources of a site afterwards. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database
  await schema
    .createTable('import_receipts')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('label', 'text', (c) => c.notNull())
    .addColumn('imported_at', 'bigint', (c) => c.notNull())
    .addColumn('receipt', 'text', (c) => c.notNull())
    .execute()
  await schema
    .createIndex('import_receipts_by_site')
    .on('import_receipts')
    .columns(['site_id', 'imported_at'])
    .execute()
}
