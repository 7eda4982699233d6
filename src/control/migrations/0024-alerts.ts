import { type CreateTableBuilder, type Kysely, sql } from 'kysely'

/** Alerts: who receives them, the outbox, and what became of each delivery (rules 8.6). */
export async function up(database: Kysely<unknown>): Promise<void> {
  await createReceivers(database)
  await createOutbox(database)
  await createMemory(database)
}

const siteId = <T extends string, C extends string>(table: CreateTableBuilder<T, C>) =>
  table.addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))

async function createReceivers({ schema }: Kysely<unknown>): Promise<void> {
  await siteId(schema.createTable('alert_receivers').addColumn('id', 'text', (c) => c.primaryKey().notNull()))
    .addColumn('kind', 'text', (c) => c.notNull().check(sql`kind IN ('webhook', 'email')`))
    .addColumn('target', 'text', (c) => c.notNull())
    .addColumn('event_types', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull().check(sql`state IN ('unconfirmed', 'active', 'off')`))
    .addColumn('off_reason', 'text')
    .addColumn('state_since', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('sealed_url', 'text')
    .addColumn('sealed_secret', 'text')
    .addColumn('sealed_previous_secret', 'text')
    .addColumn('previous_secret_until', 'bigint')
    .addColumn('confirm_sha256', 'text', (c) => c.unique())
    .addColumn('confirm_until', 'bigint')
    .addColumn('unsubscribe_sha256', 'text', (c) => c.unique())
    .addColumn('sealed_unsubscribe_token', 'text')
    .addColumn('failing_since', 'bigint')
    .addColumn('last_success_at', 'bigint')
    .addColumn('paused_until', 'bigint')
    .execute()
  await schema.createIndex('alert_receivers_by_site').on('alert_receivers').columns(['site_id']).execute()
}

async function createOutbox({ schema }: Kysely<unknown>): Promise<void> {
  await siteId(schema.createTable('alerts').addColumn('id', 'text', (c) => c.primaryKey().notNull()))
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('subject_id', 'text', (c) => c.notNull())
    .addColumn('occurred_at', 'bigint', (c) => c.notNull())
    .addColumn('recorded_at', 'bigint', (c) => c.notNull())
    .addColumn('position', 'bigint', (c) => c.notNull().unique())
    .addColumn('is_sent_alone', 'integer', (c) => c.notNull().check(sql`is_sent_alone IN (0, 1)`))
    .addColumn('data', 'text', (c) => c.notNull())
    .execute()
  await schema.createIndex('alerts_by_site').on('alerts').columns(['site_id']).execute()
  await schema
    .createTable('alert_deliveries')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('alert_id', 'text', (c) => c.notNull().references('alerts.id').onDelete('cascade'))
    .addColumn('receiver_id', 'text', (c) => c.notNull().references('alert_receivers.id').onDelete('cascade'))
    .addColumn('state', 'text', (c) =>
      c.notNull().check(sql`state IN ('waiting', 'delivered', 'failed', 'in_digest', 'dropped')`),
    )
    .addColumn('attempts', 'bigint', (c) => c.notNull())
    .addColumn('due_at', 'bigint', (c) => c.notNull())
    .addColumn('attempted_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('status', 'bigint')
    .addColumn('error_code', 'text')
    .addColumn('digest_id', 'text')
    .addUniqueConstraint('alert_deliveries_by_receiver', ['receiver_id', 'alert_id'])
    .execute()
  await schema.createIndex('alert_deliveries_by_state').on('alert_deliveries').columns(['state']).execute()
  await schema.createIndex('alert_deliveries_by_alert').on('alert_deliveries').columns(['alert_id']).execute()
}

async function createMemory({ schema }: Kysely<unknown>): Promise<void> {
  await siteId(schema.createTable('alerted_issues'))
    .addColumn('issue_id', 'text', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('last_day', 'text', (c) => c.notNull().check(sql`length(last_day) = 10`))
    .addPrimaryKeyConstraint('alerted_issues_key', ['site_id', 'issue_id', 'type'])
    .execute()
  await siteId(schema.createTable('alert_conditions'))
    .addColumn('subject_id', 'text', (c) => c.notNull())
    .addColumn('condition', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('alert_conditions_key', ['site_id', 'subject_id'])
    .execute()
}
