/** Separates an unnamed upload from the named server that it was moved to (rules 3, Uploads). */
import type { ControlTransaction } from '#control/store.ts'
import type { SourceRow } from '#control/tables.ts'

/** Separates an upload from its server, and returns its row. */
export async function takeBackUpload(trx: ControlTransaction, upload: SourceRow): Promise<SourceRow> {
  const server_id = upload.moved_to as string
  const row = await trx
    .updateTable('sources')
    .set({ moved_to: null })
    .where('id', '=', upload.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await resetServer(trx, server_id)
  return row
}

/** Resets a server without logs of its own, which is no longer expected. Its row and id stay for later imports. */
async function resetServer(trx: ControlTransaction, server_id: string): Promise<void> {
  const server = trx.updateTable('sources').where('id', '=', server_id)
  const imported = await trx
    .selectFrom('deliveries')
    .select('id')
    .where('source_id', '=', server_id)
    .limit(1)
    .executeTakeFirst()
  if (imported === undefined) {
    await server.set({ connected_at: null, data_through: null, is_primary: 0, has_statuses: 0 }).execute()
    return
  }
  const { through } = await trx
    .selectFrom('coverage_intervals')
    .select(({ fn }) => fn.max<number | null>('to_at').as('through'))
    .where('source_id', '=', server_id)
    .executeTakeFirstOrThrow()
  if (through !== null) await server.set({ data_through: through }).where('data_through', '>', through).execute()
}
