import type { Kysely } from 'kysely'

/** What each node granted of limits that all nodes keep together (decisions 8.2). */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('node_use')
    .addColumn('node_id', 'text', (c) => c.primaryKey().references('nodes.id').onDelete('cascade'))
    .addColumn('epoch', 'bigint', (c) => c.notNull())
    .addColumn('sums', 'text', (c) => c.notNull())
    .execute()
}
