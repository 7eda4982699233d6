import type { Kysely } from 'kysely'

/** Which engine judges how answers speak of brands; an account without a row has none. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('sentiment_settings')
    .addColumn('account_id', 'text', (c) => c.primaryKey().notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('engine', 'text', (c) => c.notNull())
    .addColumn('accepted_at', 'bigint', (c) => c.notNull())
    .execute()
}
