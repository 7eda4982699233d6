import type { Kysely } from 'kysely'

/** When aliases of brands and competitors count; those of before count in any spelling and alone. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  for (const table of ['brands', 'competitors']) {
    await schema
      .alterTable(table)
      .addColumn('alias_rules', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute()
  }
}
