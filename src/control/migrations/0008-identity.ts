import { type Kysely, sql } from 'kysely'

/** Published lists of addresses with all their versions, how their loading went, and the addresses that wait for their names. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('ip_list_versions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('list_id', 'text', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull().check(sql`length(sha256) = 64`))
    .addColumn('prefixes', 'text', (c) => c.notNull())
    .addColumn('is_whole_as', 'integer', (c) => c.notNull().check(sql`is_whole_as IN (0, 1)`))
    .addColumn('published_at', 'bigint')
    .addColumn('loaded_at', 'bigint', (c) => c.notNull())
    .addColumn('confirmed_at', 'bigint', (c) => c.notNull())
    .addColumn('superseded_at', 'bigint')
    .execute()
  await schema
    .createIndex('ip_list_versions_by_list')
    .on('ip_list_versions')
    .columns(['list_id', 'loaded_at'])
    .execute()
  await schema
    .createTable('ip_list_loads')
    .addColumn('list_id', 'text', (c) => c.primaryKey())
    .addColumn('attempted_at', 'bigint', (c) => c.notNull())
    .addColumn('failure', 'text')
    .execute()
  await schema
    .createTable('pending_addresses')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('requested_at', 'bigint', (c) => c.notNull())
    .addColumn('received_at', 'bigint', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('next_attempt_at', 'bigint', (c) => c.notNull())
    .execute()
  await schema.createIndex('pending_addresses_by_age').on('pending_addresses').columns(['received_at']).execute()
}
