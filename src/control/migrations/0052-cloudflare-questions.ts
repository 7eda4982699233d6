import type { Kysely } from 'kysely'

/** Questions that were asked of Cloudflare lately: all processes of an installation share a token's budget. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('cloudflare_questions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('token_sha256', 'text', (c) => c.notNull())
    .addColumn('asked_at', 'bigint', (c) => c.notNull())
    .execute()
  await schema
    .createIndex('cloudflare_questions_by_token')
    .on('cloudflare_questions')
    .columns(['token_sha256', 'asked_at'])
    .execute()
}
