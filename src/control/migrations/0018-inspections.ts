import { type Kysely, sql } from 'kysely'

/** Inspections, those for the snippet among them, what robots.txt said when, and who had a URL checked. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await createInspections(database)
  await createRobots(database)
  await createAccessChecks(database)
  await moveSnippetInspections(database)
}

async function createInspections({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('inspections')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull().check(sql`kind IN ('page', 'snippet')`))
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('host', 'text', (c) => c.notNull())
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('crawler_id', 'text')
    .addColumn('issue_id', 'text')
    .addColumn('round_id', 'text', (c) => c.notNull())
    .addColumn('weight', 'bigint', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull().check(sql`state IN ('queued', 'running', 'done', 'not_made')`))
    .addColumn('obstacle', 'text')
    .addColumn('queued_at', 'bigint', (c) => c.notNull())
    .addColumn('due_at', 'bigint', (c) => c.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('scheme', 'text', (c) => c.check(sql`scheme IN ('https', 'http')`))
    .addColumn('is_clean', 'integer', (c) => c.check(sql`is_clean IN (0, 1)`))
    .addColumn('reproduced', 'text', (c) => c.check(sql`reproduced IN ('yes', 'no', 'unknown')`))
    .addColumn('result', 'text')
    .execute()
  await schema.createIndex('inspections_by_due').on('inspections').columns(['state', 'due_at']).execute()
  await schema.createIndex('inspections_by_site').on('inspections').columns(['site_id', 'started_at']).execute()
  await schema.createIndex('inspections_by_issue').on('inspections').columns(['issue_id', 'queued_at']).execute()
}

async function createRobots({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('robots_snapshots')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('scheme', 'text', (c) => c.notNull().check(sql`scheme IN ('https', 'http')`))
    .addColumn('host', 'text', (c) => c.notNull())
    .addColumn('first_fetched_at', 'bigint', (c) => c.notNull())
    .addColumn('last_fetched_at', 'bigint', (c) => c.notNull())
    .addColumn('status', 'integer')
    .addColumn('failure', 'text')
    .addColumn('sha256', 'text', (c) => c.check(sql`length(sha256) = 64`))
    .addColumn('is_truncated', 'integer', (c) => c.notNull().check(sql`is_truncated IN (0, 1)`))
    .addColumn('is_challenge', 'integer', (c) => c.notNull().check(sql`is_challenge IN (0, 1)`))
    .execute()
  await schema
    .createIndex('robots_snapshots_by_host')
    .on('robots_snapshots')
    .columns(['site_id', 'host', 'scheme', 'last_fetched_at'])
    .execute()
  await schema
    .createTable('robots_bodies')
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('sha256', 'text', (c) => c.notNull().check(sql`length(sha256) = 64`))
    .addColumn('size_bytes', 'bigint', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('robots_bodies_key', ['site_id', 'sha256'])
    .execute()
}

async function createAccessChecks({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('access_checks')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('checked_at', 'bigint', (c) => c.notNull())
    .addColumn('key_id', 'text')
    .addColumn('user_id', 'text')
    .addColumn('host', 'text', (c) => c.notNull())
    .addColumn('path', 'text', (c) => c.notNull())
    .execute()
  await schema.createIndex('access_checks_by_site').on('access_checks').columns(['site_id', 'checked_at']).execute()
}

interface SnippetInspection {
  site_id: string
  root_domain: string
  inspected_at: number
  outcome: string
}

/** They are a kind of inspection; the id of the site is theirs too, because each site has one. */
async function moveSnippetInspections(database: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<SnippetInspection>`
    SELECT site_id, root_domain, inspected_at, outcome
    FROM snippet_inspections JOIN sites ON sites.id = site_id`.execute(database)
  for (const { site_id, root_domain, inspected_at, outcome } of rows) {
    await sql`
      INSERT INTO inspections (
        id, site_id, kind, reason, host, path, round_id, weight, state, queued_at, due_at, started_at, ended_at, result)
      VALUES (
        ${site_id}, ${site_id}, 'snippet', 'snippet', ${root_domain}, '/', ${site_id}, 1, 'done',
        ${inspected_at}, ${inspected_at}, ${inspected_at}, ${inspected_at}, ${JSON.stringify({ outcome })})`.execute(
      database,
    )
  }
  await database.schema.dropTable('snippet_inspections').execute()
}
