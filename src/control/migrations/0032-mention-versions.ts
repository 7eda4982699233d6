import type { Kysely } from 'kysely'

/** Which version of a brand's mentions counts. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('mention_versions')
    .addColumn('brand_id', 'text', (c) => c.primaryKey().notNull().references('brands.id').onDelete('cascade'))
    .addColumn('version', 'bigint', (c) => c.notNull())
    .addColumn('names_sha256', 'text', (c) => c.notNull())
    .execute()
}
