import { type Kysely, sql } from 'kysely'

/** Classifications of stored mentions that people started, and the answers that their calls are about. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('classifications')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('brand_id', 'text', (c) => c.notNull().references('brands.id').onDelete('cascade'))
    .addColumn('engine', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull().check(sql`state IN ('running', 'ended', 'cancelled')`))
    .addColumn('code', 'text')
    .addColumn('answers', 'integer', (c) => c.notNull())
    .addColumn('asked', 'integer', (c) => c.notNull())
    .addColumn('classified', 'integer', (c) => c.notNull())
    .addColumn('at_most_micros', 'bigint', (c) => c.notNull())
    .addColumn('spent_micros', 'bigint', (c) => c.notNull())
    .addColumn('after_day', 'text')
    .addColumn('after_answer', 'text')
    .addColumn('started_at', 'bigint', (c) => c.notNull())
    .addColumn('ended_at', 'bigint')
    .execute()
  await schema.createIndex('classifications_by_brand').on('classifications').columns(['brand_id']).execute()
  for (const column of ['classification_id', 'answer_id']) {
    await schema.alterTable('engine_calls').addColumn(column, 'text').execute()
  }
  await schema
    .createIndex('engine_calls_by_classification')
    .on('engine_calls')
    .columns(['classification_id', 'answer_id'])
    .execute()
}
