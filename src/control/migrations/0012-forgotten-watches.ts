import type { Kysely } from 'kysely'

/** When senders watched days that retention has ended: whoever waits for a sender must not forget it with its coverage (rules 3). */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('forgotten_watches')
    .addColumn('source_id', 'text', (c) => c.notNull().references('sources.id').onDelete('cascade'))
    .addColumn('sender', 'text', (c) => c.notNull())
    .addColumn('host', 'text', (c) => c.notNull())
    .addColumn('from_at', 'bigint', (c) => c.notNull())
    .addColumn('to_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('forgotten_watches_key', ['source_id', 'sender', 'host'])
    .execute()
}
