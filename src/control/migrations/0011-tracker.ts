import { type CreateTableBuilder, type Kysely, sql } from 'kysely'

/** The tracker: keys, definitions, and what is remembered about collection (rules 6). */
export async function up(database: Kysely<unknown>): Promise<void> {
  await createTrackers(database)
  await createCollection(database)
  await createBuilds(database)
  await createDefinitions(database)
}

const siteId = <T extends string, C extends string>(table: CreateTableBuilder<T, C>) =>
  table.addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))

async function createTrackers({ schema }: Kysely<unknown>): Promise<void> {
  await siteId(schema.createTable('trackers'))
    .addColumn('enabled_at', 'bigint', (c) => c.notNull())
    .addColumn('disabled_at', 'bigint')
    .addColumn('first_event_at', 'bigint')
    .addColumn('last_event_at', 'bigint')
    .addColumn('sealed_order_key', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('trackers_key', ['site_id'])
    .execute()
  await siteId(schema.createTable('tracker_keys').addColumn('id', 'text', (c) => c.primaryKey().notNull()))
    .addColumn('kind', 'text', (c) => c.notNull().check(sql`kind IN ('public', 'server')`))
    .addColumn('secret_sha256', 'text', (c) => c.notNull().unique())
    .addColumn('prefix', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('revoked_at', 'bigint')
    .execute()
  await schema.createIndex('tracker_keys_by_site').on('tracker_keys').columns(['site_id']).execute()
  await siteId(schema.createTable('tracker_pauses'))
    .addColumn('from_at', 'bigint', (c) => c.notNull())
    .addColumn('to_at', 'bigint')
    .addPrimaryKeyConstraint('tracker_pauses_key', ['site_id', 'from_at'])
    .execute()
  await siteId(schema.createTable('tracker_settings'))
    .addColumn('privacy_floor', 'bigint', (c) => c.notNull().check(sql`privacy_floor >= 0`))
    .addPrimaryKeyConstraint('tracker_settings_key', ['site_id'])
    .execute()
}

async function createCollection({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('collector_runs')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('from_at', 'bigint', (c) => c.notNull())
    .addColumn('through_at', 'bigint', (c) => c.notNull())
    .execute()
  await schema.createIndex('collector_runs_by_time').on('collector_runs').columns(['through_at']).execute()
  await siteId(schema.createTable('collection_counts'))
    .addColumn('day', 'text', (c) => c.notNull().check(sql`length(day) = 10`))
    .addColumn('outcome', 'text', (c) => c.notNull().check(sql`outcome IN ('accepted', 'bot', 'refused')`))
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('events', 'bigint', (c) => c.notNull())
    .addColumn('last_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('collection_counts_key', ['site_id', 'day', 'outcome', 'reason'])
    .execute()
  await siteId(schema.createTable('snippet_proofs'))
    .addColumn('day', 'text', (c) => c.notNull().check(sql`length(day) = 10`))
    .addColumn('proof', 'text', (c) => c.notNull().check(sql`proof IN ('script_load', 'inspection')`))
    .addColumn('proved_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('snippet_proofs_key', ['site_id', 'day', 'proof'])
    .execute()
  await siteId(schema.createTable('snippet_inspections'))
    .addColumn('inspected_at', 'bigint', (c) => c.notNull())
    .addColumn('outcome', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('snippet_inspections_key', ['site_id'])
    .execute()
  await schema
    .createTable('visitor_salts')
    .addColumn('day', 'text', (c) => c.primaryKey().notNull())
    .addColumn('sealed_salt', 'text', (c) => c.notNull())
    .execute()
}

async function createBuilds({ schema }: Kysely<unknown>): Promise<void> {
  await siteId(schema.createTable('tracker_dirty_days'))
    .addColumn('day', 'text', (c) => c.notNull().check(sql`length(day) = 10`))
    .addColumn('marked', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('tracker_dirty_days_key', ['site_id', 'day'])
    .execute()
  await siteId(schema.createTable('tracker_builds'))
    .addColumn('day', 'text', (c) => c.notNull().check(sql`length(day) = 10`))
    .addColumn('build', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('tracker_builds_key', ['site_id', 'day'])
    .execute()
  await siteId(schema.createTable('definition_builds'))
    .addColumn('definition_id', 'text', (c) => c.notNull())
    .addColumn('day', 'text', (c) => c.notNull().check(sql`length(day) = 10`))
    .addColumn('build', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('definition_builds_key', ['site_id', 'definition_id', 'day'])
    .execute()
  await schema
    .createTable('retired_tracker_builds')
    .addColumn('site_id', 'text', (c) => c.notNull())
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('build', 'bigint', (c) => c.notNull())
    .addColumn('definition_id', 'text', (c) => c.notNull())
    .addColumn('retired_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('retired_tracker_builds_key', ['site_id', 'day', 'build', 'definition_id'])
    .execute()
}

async function createDefinitions({ schema }: Kysely<unknown>): Promise<void> {
  await siteId(schema.createTable('properties').addColumn('id', 'text', (c) => c.primaryKey().notNull()))
    .addColumn('event_name', 'text', (c) => c.notNull())
    .addColumn('property_key', 'text', (c) => c.notNull())
    .addColumn('revision', 'bigint', (c) => c.notNull())
    .addColumn('scalar_kind', 'text', (c) => c.notNull().check(sql`scalar_kind IN ('enum', 'integer', 'boolean')`))
    .addColumn('enum_values', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('ended_at', 'bigint')
    .addUniqueConstraint('properties_by_revision', ['site_id', 'event_name', 'property_key', 'revision'])
    .execute()
  for (const kind of ['conversion', 'funnel'] as const) {
    const table = siteId(schema.createTable(`${kind}s`).addColumn('id', 'text', (c) => c.primaryKey().notNull()))
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('archived_at', 'bigint')
    await (kind === 'funnel'
      ? table.addColumn('slug', 'text', (c) => c.notNull()).addUniqueConstraint('funnels_by_slug', ['site_id', 'slug'])
      : table
    ).execute()
    const owner = `${kind}_id`
    await siteId(
      schema
        .createTable(`${kind}_revisions`)
        .addColumn('id', 'text', (c) => c.primaryKey().notNull())
        .addColumn(owner, 'text', (c) => c.notNull().references(`${kind}s.id`).onDelete('cascade')),
    )
      .addColumn('revision', 'bigint', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn(kind === 'funnel' ? 'steps' : 'matcher', 'text', (c) => c.notNull())
      .addColumn('effective_from', 'bigint', (c) => c.notNull())
      .addColumn('effective_to', 'bigint')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addUniqueConstraint(`${kind}_revisions_by_number`, [owner, 'revision'])
      .execute()
    await schema.createIndex(`${kind}s_by_site`).on(`${kind}s`).columns(['site_id']).execute()
    await schema.createIndex(`${kind}_revisions_by_site`).on(`${kind}_revisions`).columns(['site_id']).execute()
  }
}
