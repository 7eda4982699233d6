/** The owner's decisions about a source: whether it is primary, and its vantage (rules 3, rules 8.1). */
import type { ControlContext } from '#control/context.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { SourceRow } from '#control/tables.ts'
import { Refusal } from '#refusal.ts'
import { findSource } from './find-source.ts'

/**
 * Sets whether a source is primary. Before its first durable evidence, which makes it primary, this is refused.
 * @throws Refusal not_found, conflict.
 */
export function setPrimary(
  { control }: Pick<ControlContext, 'control'>,
  { source, is_primary }: { source: string; is_primary: boolean },
): Promise<SourceRow> {
  return control.transaction(async (trx) => {
    const found = await findSource(trx, source)
    // A zone is connected before it has evidence, with its verified token.
    if (found.data_through === null) {
      throw new Refusal(
        'conflict',
        'Nothing durable has arrived from this source yet; its first evidence makes it primary, and then you may switch that off.',
      )
    }
    const values = { is_primary: is_primary ? 1 : 0 } as const
    // Uploads that were moved to a server are primary if the server is.
    await trx.updateTable('sources').set(values).where('moved_to', '=', found.id).execute()
    return updateSource(trx, found, values)
  })
}

/** Sets the vantage of a source: edge or origin (rules 8.1, Vantage). */
export function setVantage(
  { control }: Pick<ControlContext, 'control'>,
  { source, vantage }: { source: string; vantage: 'edge' | 'origin' },
): Promise<SourceRow> {
  return control.transaction(async (trx) => {
    const found = await findSource(trx, source)
    await trx.updateTable('sources').set({ vantage }).where('moved_to', '=', found.id).execute()
    return updateSource(trx, found, { vantage })
  })
}

/** Changes columns of a source, and returns the changed row. */
export function updateSource(
  trx: ControlTransaction,
  source: SourceRow,
  values: Partial<Pick<SourceRow, 'is_primary' | 'connection_status' | 'vantage'>>,
): Promise<SourceRow> {
  return trx.updateTable('sources').set(values).where('id', '=', source.id).returningAll().executeTakeFirstOrThrow()
}
