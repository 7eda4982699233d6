import { type Kysely, sql } from 'kysely'

/** Issues with their evidence, members and changes; what owners mark as intended; what only impostors met; what a source sees. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await createIssues(database)
  await createParts(database)
  await createMarks(database)
  // Null: nothing is known of it. Zones see the edge whatever stands here.
  await database.schema
    .alterTable('sources')
    .addColumn('vantage', 'text', (c) => c.check(sql`vantage IN ('edge', 'origin')`))
    .execute()
}

async function createIssues({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('issues')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    // What the issue is about, as one text, while it is listed: two writers cannot open it twice.
    .addColumn('unit', 'text', (c) => c.unique())
    .addColumn('host', 'text', (c) => c.notNull())
    .addColumn('path_key', 'text')
    .addColumn('crawler_id', 'text')
    .addColumn('harm', 'text', (c) => c.notNull())
    .addColumn('vantage', 'text', (c) => c.notNull().check(sql`vantage IN ('edge', 'origin')`))
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('opened_at', 'bigint', (c) => c.notNull())
    .addColumn('last_harm_at', 'bigint', (c) => c.notNull())
    .addColumn('baseline', 'text', (c) => c.check(sql`baseline IN ('yes', 'no', 'unknown')`))
    .addColumn('clean_since', 'bigint')
    .addColumn('fix_detected_at', 'bigint')
    .addColumn('fix_confirmed_at', 'bigint')
    .addColumn('detected_at', 'bigint', (c) => c.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('cause', 'text', (c) => c.notNull())
    .addColumn('confidence', 'text', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('description', 'text')
    .addColumn('fix_prompt', 'text')
    .addColumn('evidence_from', 'text', (c) => c.notNull().check(sql`length(evidence_from) = 10`))
    .addColumn('evidence_to', 'text', (c) => c.notNull().check(sql`length(evidence_to) = 10`))
    .addColumn('member_count', 'bigint', (c) => c.notNull())
    .addColumn('weakest_identity', 'integer', (c) => c.notNull())
    .addColumn('recent_harm_count', 'bigint', (c) => c.notNull())
    .addColumn('previous_id', 'text')
    .addColumn('revision', 'bigint', (c) => c.notNull())
    .execute()
  await schema.createIndex('issues_by_site').on('issues').columns(['site_id', 'state']).execute()
}

async function createParts({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('issue_evidence')
    .addColumn('issue_id', 'text', (c) => c.notNull().references('issues.id').onDelete('cascade'))
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('ref', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('issue_evidence_key', ['issue_id', 'position'])
    .execute()
  await schema
    .createTable('issue_members')
    .addColumn('issue_id', 'text', (c) => c.notNull().references('issues.id').onDelete('cascade'))
    .addColumn('page_id', 'text', (c) => c.notNull())
    .addColumn('crawler_id', 'text', (c) => c.notNull())
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('harmful', 'bigint', (c) => c.notNull())
    .addColumn('observed', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('issue_members_key', ['issue_id', 'page_id', 'crawler_id'])
    .execute()
  await schema
    .createTable('issue_changes')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('issue_id', 'text', (c) => c.notNull().references('issues.id').onDelete('cascade'))
    .addColumn('site_id', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('change', 'text', (c) => c.notNull())
    .addColumn('inspection_id', 'text')
    .execute()
  await schema.createIndex('issue_changes_by_issue').on('issue_changes').columns(['issue_id', 'at']).execute()
}

async function createMarks({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('intended_marks')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('host', 'text', (c) => c.notNull())
    .addColumn('path_key', 'text', (c) => c.notNull())
    .addColumn('crawler_id', 'text')
    .addColumn('harm', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('revoked_at', 'bigint')
    .execute()
  await schema.createIndex('intended_marks_by_site').on('intended_marks').columns(['site_id']).execute()
  await schema
    .createTable('impostor_refusals')
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('host', 'text', (c) => c.notNull())
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('crawler_id', 'text', (c) => c.notNull())
    .addColumn('requests', 'bigint', (c) => c.notNull())
    .addColumn('first_day', 'text', (c) => c.notNull())
    .addColumn('last_day', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('impostor_refusals_key', ['site_id', 'host', 'path', 'crawler_id'])
    .execute()
}
