import type { Kysely } from 'kysely'

/** How many records of a sender's day were refused: over 1 % make the day partial (rules 3). */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('sender_records')
    .addColumn('source_id', 'text', (c) => c.notNull().references('sources.id').onDelete('cascade'))
    .addColumn('sender', 'text', (c) => c.notNull())
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('records', 'bigint', (c) => c.notNull())
    .addColumn('unreadable', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('sender_records_pk', ['source_id', 'sender', 'day'])
    .execute()
}
