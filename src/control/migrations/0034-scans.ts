import { type Kysely, sql } from 'kysely'

/** When the questions of a brand are asked, its scans with each run of a question, and how long answers are kept. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('brands')
    .addColumn('retention_days', 'integer', (c) => c.notNull().defaultTo(400))
    .execute()
  await schema
    .createTable('scan_schedules')
    .addColumn('brand_id', 'text', (c) => c.primaryKey().notNull().references('brands.id').onDelete('cascade'))
    .addColumn('hour', 'integer', (c) => c.notNull().check(sql`hour BETWEEN 0 AND 23`))
    .addColumn('runs', 'integer', (c) => c.notNull().check(sql`runs BETWEEN 1 AND 10`))
    .addColumn('is_paused', 'integer', (c) => c.notNull().check(sql`is_paused IN (0, 1)`))
    .addColumn('since', 'bigint', (c) => c.notNull())
    .execute()
  await schema
    .createTable('scans')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('brand_id', 'text', (c) => c.notNull().references('brands.id').onDelete('cascade'))
    .addColumn('cause', 'text', (c) => c.notNull().check(sql`cause IN ('schedule', 'person')`))
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('schedule_key', 'text', (c) => c.unique())
    .addColumn('state', 'text', (c) => c.notNull().check(sql`state IN ('running', 'ended', 'cancelled')`))
    .addColumn('started_at', 'bigint', (c) => c.notNull())
    .addColumn('ended_at', 'bigint')
    .execute()
  await schema.createIndex('scans_by_brand').on('scans').columns(['brand_id', 'day']).execute()
  await schema
    .createTable('scan_runs')
    .addColumn('scan_id', 'text', (c) => c.notNull().references('scans.id').onDelete('cascade'))
    .addColumn('question_id', 'text', (c) => c.notNull().references('questions.id').onDelete('cascade'))
    .addColumn('engine', 'text', (c) => c.notNull())
    .addColumn('run', 'integer', (c) => c.notNull())
    .addColumn('state', 'text', (c) =>
      c.notNull().check(sql`state IN ('waiting', 'asking', 'answered', 'refused', 'failed', 'not_run')`),
    )
    .addColumn('code', 'text')
    .addColumn('tries', 'integer', (c) => c.notNull())
    .addColumn('due_at', 'bigint', (c) => c.notNull())
    .addColumn('first_asked_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('pending_answer', 'text')
    .addPrimaryKeyConstraint('scan_runs_key', ['scan_id', 'question_id', 'engine', 'run'])
    .execute()
  await schema.createIndex('scan_runs_by_due').on('scan_runs').columns(['state', 'due_at']).execute()
  await schema.createIndex('scan_runs_by_question').on('scan_runs').columns(['question_id']).execute()
}
