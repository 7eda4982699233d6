import { type Kysely, sql } from 'kysely'

/** Jobs that one process at a time runs, of all that share this control store (decisions 8). */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('jobs')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('every_ms', 'bigint', (c) => c.notNull().check(sql`every_ms > 0`))
    .addColumn('limit_ms', 'bigint', (c) => c.notNull().check(sql`limit_ms > 0`))
    .addColumn('next_at', 'bigint', (c) => c.notNull())
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'bigint', (c) => c.check(sql`(lease_until IS NULL) = (lease_owner IS NULL)`))
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0).check(sql`attempts >= 0`))
    .addColumn('last_started_at', 'bigint')
    .addColumn('last_ended_at', 'bigint')
    .addColumn('last_succeeded_at', 'bigint')
    .addColumn('last_error', 'text')
    .execute()
}
