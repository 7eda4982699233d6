import type { Kysely } from 'kysely'

/** Links that sign a person in once, without a password: of the demo. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('sign_in_links')
    .addColumn('token_sha256', 'text', (c) => c.primaryKey().notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
}
