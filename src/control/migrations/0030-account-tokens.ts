import { type Kysely, sql } from 'kysely'

/** Account tokens, roles of people in their account, the end of a trial, and how many questions an account may ask. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database
  await schema
    .alterTable('users')
    .addColumn('account_role', 'text', (c) =>
      c.notNull().defaultTo('member').check(sql`account_role IN ('admin', 'member')`),
    )
    .execute()
  // The first user of an account administers it (account API 1).
  await sql`
    UPDATE users SET account_role = 'admin'
    WHERE id IN (
      SELECT id FROM (
        SELECT id, row_number() OVER (PARTITION BY account_id ORDER BY created_at, id) AS place FROM users
      ) AS ordered WHERE place = 1
    )`.execute(database)
  await schema.alterTable('accounts').addColumn('access_ends_at', 'bigint').execute()
  await schema
    .alterTable('accounts')
    .addColumn('active_question_limit', 'integer', (c) => c.notNull().defaultTo(100))
    .execute()
  await schema
    .createTable('account_tokens')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('prefix', 'text', (c) => c.notNull())
    .addColumn('secret_sha256', 'text', (c) => c.notNull().unique())
    .addColumn('scope', 'text', (c) => c.notNull().check(sql`scope IN ('read', 'write')`))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('revoked_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .execute()
  await schema.createIndex('account_tokens_by_user').on('account_tokens').columns(['user_id']).execute()
}
