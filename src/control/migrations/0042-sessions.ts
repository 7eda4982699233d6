import type { Kysely } from 'kysely'

/** Sessions of people who signed in, and tries to sign in of the last minutes (decisions 2). */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database
  await schema
    .createTable('sessions')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('secret_sha256', 'text', (c) => c.notNull().unique())
    .addColumn('user_agent', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('last_used_at', 'bigint', (c) => c.notNull())
    .addColumn('confirmed_at', 'bigint', (c) => c.notNull())
    .execute()
  await schema.createIndex('sessions_by_user').on('sessions').columns(['user_id']).execute()
  await schema
    .createTable('sign_in_tries')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('subject_sha256', 'text', (c) => c.notNull())
    .addColumn('tried_at', 'bigint', (c) => c.notNull())
    .execute()
  await schema
    .createIndex('sign_in_tries_by_subject')
    .on('sign_in_tries')
    .columns(['subject_sha256', 'tried_at'])
    .execute()
}
