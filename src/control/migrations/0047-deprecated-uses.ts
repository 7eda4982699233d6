import type { Kysely } from 'kysely'

/** How often each account token called which deprecated route. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('deprecated_uses')
    .addColumn('token_id', 'text', (c) => c.notNull().references('account_tokens.id').onDelete('cascade'))
    .addColumn('operation', 'text', (c) => c.notNull())
    .addColumn('requests', 'bigint', (c) => c.notNull())
    .addColumn('last_used_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('deprecated_uses_key', ['token_id', 'operation'])
    .execute()
}
