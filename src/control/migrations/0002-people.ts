import { type Kysely, sql } from 'kysely'

/** What people sign in with, in tables of their own, so that reading users never reads it. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('passwords')
    .addColumn('user_id', 'text', (c) => c.primaryKey().notNull().references('users.id').onDelete('cascade'))
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('chosen_at', 'bigint', (c) => c.notNull())
    .execute()
  await schema
    .createTable('one_time_links')
    .addColumn('user_id', 'text', (c) => c.primaryKey().notNull().references('users.id').onDelete('cascade'))
    .addColumn('token_sha256', 'text', (c) => c.notNull().unique())
    .addColumn('is_first_run', 'integer', (c) => c.notNull().check(sql`is_first_run IN (0, 1)`))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
}
