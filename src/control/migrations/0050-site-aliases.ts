import type { Kysely } from 'kysely'

/** Former names of sites that still find them (rules 1). */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('site_aliases')
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('root_domain', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('site_aliases_key', ['site_id', 'root_domain'])
    .execute()
  await schema.createIndex('site_aliases_by_domain').on('site_aliases').columns(['root_domain']).execute()
}
