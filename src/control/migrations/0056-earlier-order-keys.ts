import type { Kysely } from 'kysely'

/** Order keys that the secret key in use could not open are kept for the return of the right one (rules 6). */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('earlier_order_keys')
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('sealed_order_key', 'text', (c) => c.notNull())
    .addColumn('replaced_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('earlier_order_keys_pk', ['site_id', 'sealed_order_key'])
    .execute()
}
