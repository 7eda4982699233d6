import type { ControlDb } from '#control/store.ts'
import type { SourceRow } from '#control/tables.ts'
import { Refusal } from '#refusal.ts'

/**
 * The source that a text names: by id, or by its name where only one source of the installation has it.
 * @throws Refusal not_found, conflict.
 */
export async function findSource(db: ControlDb, text: string): Promise<SourceRow> {
  const found = await db
    .selectFrom('sources')
    .selectAll()
    .where((is) => is.or([is('id', '=', text.toLowerCase()), ...(text === '' ? [] : [is('server', '=', text)])]))
    .limit(2)
    .execute()
  const [first, second] = found
  if (first === undefined) throw new Refusal('not_found', 'No source has that id or name: list them with their ids.')
  if (second !== undefined)
    throw new Refusal('conflict', 'Several sources have that name: address the source by its id.')
  return first
}
