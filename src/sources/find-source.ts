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

/** What people call a source or a token. @throws Refusal invalid_input. */
export function checkName(name: string): string {
  const given = name.trim()
  if (given.length < 1 || given.length > 64 || /\p{Cc}/u.test(given)) {
    throw new Refusal('invalid_input', 'The name of a source has 1 to 64 characters and no control characters.')
  }
  return given
}
