import { type Kysely, sql } from 'kysely'

/** What would make engines name a brand more often, and what became of it. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('fixes')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('brand_id', 'text', (c) => c.notNull().references('brands.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull().check(sql`kind IN ('access', 'content', 'citation')`))
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('newest_of', 'text')
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('evidence_refs', 'text', (c) => c.notNull())
    .addColumn('fix_prompt', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) =>
      c.notNull().check(sql`status IN ('open', 'accepted', 'completed', 'dismissed')`),
    )
    .addColumn('version', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('accepted_at', 'bigint')
    .addColumn('completed_at', 'bigint')
    .addColumn('dismissed_at', 'bigint')
    .addColumn('dismissed_reason', 'text')
    .addColumn('verification', 'text', (c) => c.notNull())
    .addColumn('checked_at', 'bigint')
    .addColumn('ratio_before', 'text')
    .addColumn('ratio_after', 'text')
    .addColumn('verification_reason', 'text')
    .addColumn('replaces', 'text')
    .addUniqueConstraint('fixes_newest_of', ['brand_id', 'newest_of'])
    .execute()
  await schema.createIndex('fixes_by_brand').on('fixes').columns(['brand_id', 'created_at']).execute()
}
