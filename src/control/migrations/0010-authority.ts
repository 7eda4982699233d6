import { type Kysely, sql } from 'kysely'

/** How far each end of a watched stretch calls silence normal; gates; and which source's promise counts a host from which day on (decisions 3.8). */
export async function up(database: Kysely<unknown>): Promise<void> {
  await keepBothEdges(database)
  await createGates(database)
  await createAuthority(database)
}

/** A joined stretch begins with one upload and ends with another: each edge keeps a limit of its own. */
async function keepBothEdges(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .alterTable('coverage_intervals')
    .addColumn('silence_before_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`UPDATE coverage_intervals SET silence_before_ms = silence_limit_ms`.execute(database)
}

async function createGates({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('gates')
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('is_open', 'integer', (c) => c.notNull().check(sql`is_open IN (0, 1)`))
    .addColumn('changed_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('gates_key', ['site_id', 'name'])
    .execute()
}

async function createAuthority({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('contract_revisions')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('source_id', 'text', (c) => c.notNull().references('sources.id').onDelete('cascade'))
    .addColumn('hostname', 'text', (c) => c.notNull())
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('adapter', 'text', (c) => c.notNull())
    .addColumn('sampling', 'double precision', (c) => c.check(sql`sampling > 0 AND sampling <= 1`))
    .addColumn('path_fidelity', 'text', (c) =>
      c.notNull().check(sql`path_fidelity IN ('exact', 'grouped', 'unavailable')`),
    )
    .addColumn('status_fidelity', 'text', (c) =>
      c.notNull().check(sql`status_fidelity IN ('exact', 'grouped', 'unavailable')`),
    )
    .addColumn('limitation', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await schema.createIndex('contract_revisions_by_site').on('contract_revisions').columns(['site_id']).execute()
  await schema.createIndex('contract_revisions_by_source').on('contract_revisions').columns(['source_id']).execute()
  await schema
    .createTable('authority_assignments')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('hostname', 'text', (c) => c.notNull())
    .addColumn('revision_id', 'text', (c) => c.notNull().references('contract_revisions.id').onDelete('cascade'))
    .addColumn('effective_day', 'text', (c) => c.notNull().check(sql`length(effective_day) = 10`))
    .addColumn('assigned_at', 'bigint', (c) => c.notNull())
    .addColumn('superseded_at', 'bigint')
    .execute()
  await schema
    .createIndex('authority_assignments_by_host')
    .on('authority_assignments')
    .columns(['site_id', 'hostname', 'effective_day'])
    .execute()
  await schema
    .createIndex('authority_assignments_by_revision')
    .on('authority_assignments')
    .columns(['revision_id'])
    .execute()
  await schema
    .createTable('authority_interruptions')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('source_id', 'text', (c) => c.notNull().references('sources.id').onDelete('cascade'))
    .addColumn('disconnected_at', 'bigint', (c) => c.notNull())
    .addColumn('effective_at', 'bigint', (c) => c.notNull())
    .addColumn('ends_at', 'bigint')
    .execute()
  await schema
    .createIndex('authority_interruptions_by_source')
    .on('authority_interruptions')
    .columns(['site_id', 'source_id'])
    .execute()
}
