import type { Kysely } from 'kysely'

/** A source is called by its name, whether that is a server's, an owner's own or a zone's. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('sources').renameColumn('server', 'name').execute()
}
