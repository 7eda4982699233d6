import { type Kysely, sql } from 'kysely'

/** Everything a site owns goes with the site; an account keeps its sites from being lost by its own deletion. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await createPeople(database)
  await createSites(database)
  await createKeys(database)
  await createSources(database)
  await createCoverage(database)
  await createDays(database)
  await createInstallation(database)
}

async function createPeople({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('accounts')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull().check(sql`status IN ('active', 'suspended')`))
    .addColumn('access', 'text', (c) =>
      c.notNull().check(sql`access IN ('subscription', 'trial', 'prelaunch', 'none')`),
    )
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await schema
    .createTable('users')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('email', 'text', (c) => c.unique())
    .addColumn('is_operator', 'integer', (c) => c.notNull().check(sql`is_operator IN (0, 1)`))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await schema.createIndex('users_by_account').on('users').columns(['account_id']).execute()
}

async function createSites({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('sites')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id').onDelete('restrict'))
    .addColumn('root_domain', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('sites_one_domain_per_account', ['account_id', 'root_domain'])
    .execute()
  await schema.createIndex('sites_by_domain').on('sites').columns(['root_domain']).execute()
  await schema
    .createTable('members')
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('role', 'text', (c) => c.notNull().check(sql`role IN ('owner', 'editor', 'viewer')`))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('members_key', ['site_id', 'user_id'])
    .execute()
  await schema.createIndex('members_by_user').on('members').columns(['user_id']).execute()
  await schema
    .createTable('removed_sites')
    .addColumn('site_id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('removed_at', 'bigint', (c) => c.notNull())
    .addColumn('evidence_deleted_at', 'bigint')
    .execute()
}

async function createKeys({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('site_keys')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('prefix', 'text', (c) => c.notNull())
    .addColumn('secret_sha256', 'text', (c) => c.notNull().unique())
    .addColumn('is_restricted', 'integer', (c) => c.notNull().check(sql`is_restricted IN (0, 1)`))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('revoked_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .execute()
  await schema.createIndex('site_keys_by_user').on('site_keys').columns(['user_id']).execute()
  await schema.createIndex('site_keys_by_prefix').on('site_keys').columns(['prefix']).execute()
  await schema
    .createTable('site_key_sites')
    .addColumn('key_id', 'text', (c) => c.notNull().references('site_keys.id').onDelete('cascade'))
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('site_key_sites_key', ['key_id', 'site_id'])
    .execute()
  await schema.createIndex('site_key_sites_by_site').on('site_key_sites').columns(['site_id']).execute()
}

async function createSources({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('sources')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('source_type', 'text', (c) =>
      c.notNull().check(sql`source_type IN ('cloudflare_zone', 'https_intake', 'log_upload')`),
    )
    .addColumn('server', 'text', (c) => c.notNull())
    .addColumn('connection_status', 'text', (c) =>
      c.notNull().check(sql`connection_status IN ('pending', 'live', 'error', 'revoked', 'disconnected')`),
    )
    .addColumn('is_primary', 'integer', (c) => c.notNull().check(sql`is_primary IN (0, 1)`))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('connected_at', 'bigint')
    .addColumn('data_through', 'bigint')
    .addColumn('has_statuses', 'integer', (c) => c.notNull().check(sql`has_statuses IN (0, 1)`))
    .execute()
  await schema.createIndex('sources_by_site').on('sources').columns(['site_id']).execute()
  await schema
    .createIndex('sources_one_upload_per_server')
    .unique()
    .on('sources')
    .columns(['site_id', 'server'])
    .where(sql.ref('source_type'), '=', sql.lit('log_upload'))
    .execute()
  await schema
    .createTable('deliveries')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('source_id', 'text', (c) => c.notNull().references('sources.id').onDelete('cascade'))
    .addColumn('state', 'text', (c) => c.notNull().check(sql`state IN ('writing', 'finished', 'broken')`))
    .addColumn('started_at', 'bigint', (c) => c.notNull())
    .addColumn('finished_at', 'bigint')
    .execute()
  await schema.createIndex('deliveries_by_site').on('deliveries').columns(['site_id']).execute()
  await schema.createIndex('deliveries_by_source').on('deliveries').columns(['source_id']).execute()
  await schema.createIndex('deliveries_by_state').on('deliveries').columns(['state']).execute()
}

async function createCoverage({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('coverage_intervals')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('source_id', 'text', (c) => c.notNull().references('sources.id').onDelete('cascade'))
    .addColumn('host', 'text', (c) => c.notNull())
    .addColumn('from_at', 'bigint', (c) => c.notNull())
    .addColumn('to_at', 'bigint', (c) => c.notNull())
    .addColumn('quality', 'text', (c) => c.notNull().check(sql`quality IN ('complete', 'partial')`))
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('is_declared', 'integer', (c) => c.notNull().check(sql`is_declared IN (0, 1)`))
    .addColumn('silence_limit_ms', 'bigint', (c) => c.notNull())
    // No ON DELETE: a delivery that still writes an interval cannot be forgotten, or the interval would read as finished.
    .addColumn('delivery_id', 'text', (c) => c.references('deliveries.id'))
    .addCheckConstraint('coverage_intervals_are_not_empty', sql`from_at < to_at`)
    .execute()
  await schema
    .createIndex('coverage_intervals_by_site')
    .on('coverage_intervals')
    .columns(['site_id', 'to_at'])
    .execute()
  await schema.createIndex('coverage_intervals_by_source').on('coverage_intervals').columns(['source_id']).execute()
  await schema.createIndex('coverage_intervals_by_delivery').on('coverage_intervals').columns(['delivery_id']).execute()
}

async function createDays({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('dirty_days')
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('day', 'text', (c) => c.notNull().check(sql`length(day) = 10`))
    // No foreign key: a day stays dirty after its delivery is forgotten.
    .addColumn('delivery_id', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull().check(sql`state IN ('writing', 'written')`))
    .addPrimaryKeyConstraint('dirty_days_key', ['site_id', 'day', 'delivery_id'])
    .execute()
  await schema.createIndex('dirty_days_by_delivery').on('dirty_days').columns(['delivery_id']).execute()
  await schema
    .createTable('day_builds')
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('day', 'text', (c) => c.notNull().check(sql`length(day) = 10`))
    .addColumn('build', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('day_builds_key', ['site_id', 'day'])
    .execute()
  await schema
    .createTable('retired_builds')
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('day', 'text', (c) => c.notNull().check(sql`length(day) = 10`))
    .addColumn('build', 'bigint', (c) => c.notNull())
    .addColumn('retired_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('retired_builds_key', ['site_id', 'day', 'build'])
    .execute()
  await schema.createIndex('retired_builds_by_age').on('retired_builds').columns(['retired_at']).execute()
}

async function createInstallation({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('registry_versions')
    .addColumn('version', 'text', (c) => c.primaryKey().notNull())
    .addColumn('document', 'text', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('loaded_at', 'bigint', (c) => c.notNull())
    .execute()
  await schema
    .createTable('settings')
    .addColumn('name', 'text', (c) => c.primaryKey().notNull())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute()
}
