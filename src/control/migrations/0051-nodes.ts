import { type Kysely, sql } from 'kysely'

/** Service nodes on one pair of stores, and what one of them does at a time (decisions 8.1, 8.2). */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('nodes')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('number', 'integer', (c) => c.notNull().unique().check(sql`number BETWEEN 1 AND 1023`))
    .addColumn('epoch', 'bigint', (c) => c.notNull().check(sql`epoch > 0`))
    .addColumn('collect_mode', 'text', (c) => c.notNull().check(sql`collect_mode IN ('direct', 'local', 'shared')`))
    .addColumn('state', 'text', (c) =>
      c.notNull().check(sql`state IN ('up', 'stopped', 'away', 'draining', 'gone', 'lost')`),
    )
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('registered_at', 'bigint', (c) => c.notNull())
    .addColumn('seen_at', 'bigint', (c) => c.notNull())
    .addColumn('readable_through', 'bigint', (c) => c.notNull())
    .addColumn('waiting_bytes', 'bigint', (c) => c.notNull())
    .addColumn('clock_ahead_ms', 'bigint', (c) => c.notNull())
    .execute()
  await schema
    .createTable('turns')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('holder', 'text')
    .addColumn('epoch', 'bigint', (c) => c.notNull())
    .addColumn('until', 'bigint', (c) => c.check(sql`(until IS NULL) = (holder IS NULL)`))
    .addColumn('deletions', 'bigint', (c) => c.notNull())
    .execute()
  await schema.alterTable('deliveries').addColumn('node_id', 'text').execute()
}
