import { type Kysely, sql } from 'kysely'

const OLD_TABLES = [
  'dirty_days',
  'tracker_dirty_days',
  'day_builds',
  'tracker_builds',
  'definition_builds',
  'retired_builds',
  'retired_tracker_builds',
  'retired_readings',
] as const

/**
 * Crawlers, sessions and definitions share their tables of dirty days, builds and retired builds; retired readings of zones are among
 * the latter. Roll-ups of crawlers are marked to be derived again with their outcomes by page, and count until then.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await createTables(database)
  await copyRows(database)
  await copyRetiredReadings(database)
  const { schema } = database
  for (const table of OLD_TABLES) await schema.dropTable(table).execute()
  for (const table of ['dirty_days', 'builds', 'retired_builds'])
    await schema.alterTable(`${table}_0017`).renameTo(table).execute()
  await schema.createIndex('dirty_days_by_cause').on('dirty_days').columns(['cause']).execute()
  await schema.createIndex('retired_builds_by_time').on('retired_builds').columns(['retired_at']).execute()
}

async function createTables({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('dirty_days_0017')
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('day', 'text', (c) => c.notNull().check(sql`length(day) = 10`))
    .addColumn('kind', 'text', (c) => c.notNull())
    // No foreign key: a day stays dirty after its delivery is forgotten.
    .addColumn('cause', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull().check(sql`state IN ('writing', 'written')`))
    .addColumn('marked', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('dirty_days_0017_key', ['site_id', 'day', 'kind', 'cause'])
    .execute()
  await schema
    .createTable('builds_0017')
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('day', 'text', (c) => c.notNull().check(sql`length(day) = 10`))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('part', 'text', (c) => c.notNull())
    .addColumn('build', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('builds_0017_key', ['site_id', 'day', 'kind', 'part'])
    .execute()
  await schema
    .createTable('retired_builds_0017')
    // No foreign key: rows that were being written when their site was removed are deleted like all others.
    .addColumn('site_id', 'text', (c) => c.notNull())
    .addColumn('day', 'text', (c) => c.notNull().check(sql`length(day) = 10`))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('part', 'text', (c) => c.notNull())
    .addColumn('build', 'bigint', (c) => c.notNull())
    .addColumn('delivery_id', 'text', (c) => c.notNull())
    .addColumn('retired_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('retired_builds_0017_key', ['site_id', 'day', 'kind', 'part', 'build'])
    .execute()
}

async function copyRows(database: Kysely<unknown>): Promise<void> {
  const copies = [
    sql`INSERT INTO dirty_days_0017 (site_id, day, kind, cause, state, marked)
      SELECT site_id, day, 'crawlers', delivery_id, state, 1 FROM dirty_days`,
    // 0: the build counts, but an older version made it.
    sql`INSERT INTO dirty_days_0017 (site_id, day, kind, cause, state, marked)
      SELECT site_id, day, 'crawlers', 'layout', 'written', 0 FROM day_builds`,
    sql`INSERT INTO dirty_days_0017 (site_id, day, kind, cause, state, marked)
      SELECT site_id, day, 'sessions', 'events', 'written', marked FROM tracker_dirty_days`,
    sql`INSERT INTO builds_0017 (site_id, day, kind, part, build) SELECT site_id, day, 'crawlers', '', build FROM day_builds`,
    sql`INSERT INTO builds_0017 (site_id, day, kind, part, build) SELECT site_id, day, 'sessions', '', build FROM tracker_builds`,
    sql`INSERT INTO builds_0017 (site_id, day, kind, part, build)
      SELECT site_id, day, 'definitions', definition_id, build FROM definition_builds`,
    sql`INSERT INTO retired_builds_0017 (site_id, day, kind, part, build, delivery_id, retired_at)
      SELECT site_id, day, 'crawlers', '', build, '', retired_at FROM retired_builds`,
    sql`INSERT INTO retired_builds_0017 (site_id, day, kind, part, build, delivery_id, retired_at)
      SELECT site_id, day,
        CASE WHEN definition_id != '' THEN 'definitions' WHEN build = 0 THEN 'visitor_facts' ELSE 'sessions' END,
        definition_id, build, '', retired_at
      FROM retired_tracker_builds`,
  ]
  for (const copy of copies) await copy.execute(database)
}

interface RetiredReading {
  site_id: string
  source_id: string
  reading: number
  hour: number
  delivery_id: string
  retired_at: number
}

/** Row by row, because the two databases have no way in common to tell the day of an instant; there are those of some minutes only. */
async function copyRetiredReadings(database: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<RetiredReading>`
    SELECT sources.site_id, source_id, reading, hour, delivery_id, retired_at
    FROM retired_readings JOIN sources ON sources.id = source_id`.execute(database)
  for (const { site_id, source_id, reading, hour, delivery_id, retired_at } of rows) {
    const day = new Date(Number(hour)).toISOString().slice(0, 10)
    await sql`
      INSERT INTO retired_builds_0017 (site_id, day, kind, part, build, delivery_id, retired_at)
      VALUES (${site_id}, ${day}, 'zone_readings', ${source_id}, ${reading}, ${delivery_id}, ${retired_at})`.execute(
      database,
    )
  }
}
