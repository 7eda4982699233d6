/** The files of the engine: frozen for a backup, attached for a restore. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import Type from 'typebox'
import { EvidenceError } from '../errors.ts'
import { Fragment } from '../fragment.ts'
import { rows } from '../sql.ts'
import type { TableFolder } from '../store.ts'
import { closedTo } from './open-session.ts'

/** Tables that are not backed up: every start drops staged lines, and migrations write the layout versions. */
const NOT_BACKED_UP: readonly string[] = ['import_rows', 'schema_versions']

/** Every table, with the uuid that names its folder. */
export const allTables = rows(Type.Object({ name: Type.String(), uuid: Type.String() }))`
  SELECT name, toString(uuid) AS uuid FROM system.tables WHERE database = 'spoor' ORDER BY name`

type Table = { name: string; uuid: string }

/** Whether backups include the table. */
export const isBackedUp = ({ name }: { name: string }): boolean => !NOT_BACKED_UP.includes(name)

/** Makes hard links of all parts of a table. The engine's own BACKUP reports success on a full disk ("a full disk"). */
export const freezeTable = ({ name }: Table): Fragment =>
  new Fragment([`ALTER TABLE spoor.${named(name)} FREEZE WITH NAME '${FROZEN}'`])

/** Attaches the parts in the table's folder of detached parts. */
export const attachTable = ({ name }: Table): Fragment =>
  new Fragment([`ALTER TABLE spoor.${named(name)} ATTACH PARTITION ALL`])

/** The folders of hard links that `freezeTable` makes. */
export function frozenFolders(folder: string, tables: readonly Table[]): TableFolder[] {
  return tables.map((table) => ({ table: table.name, folder: join(shadow(folder), FROZEN, storeOf(table)) }))
}

/** The folders from which parts are attached. */
export function detachedFolders(folder: string, tables: readonly Table[]): TableFolder[] {
  return tables.map((table) => ({ table: table.name, folder: join(folder, storeOf(table), 'detached') }))
}

/**
 * Removes the hard links of a freeze, also of one that was interrupted by a crash.
 * @throws EvidenceError unavailable: the folder belongs to another user.
 */
export async function dropFrozen(folder: string): Promise<void> {
  await rm(shadow(folder), { recursive: true, force: true }).catch((error: unknown) => {
    throw closedTo(folder, error) ?? error
  })
}

/** @throws EvidenceError unavailable: the engine has left a part in a folder of detached parts. */
export async function refuseUnattached(folders: readonly TableFolder[]): Promise<void> {
  for (const { table, folder } of folders) {
    const [part] = await readdir(folder)
    if (part === undefined) continue
    throw new EvidenceError('unavailable', `The engine did not attach the part ${part} of ${table}.`)
  }
}

const FROZEN = 'backup'
const shadow = (folder: string): string => join(folder, 'shadow')
const storeOf = ({ uuid }: Table): string => join('store', uuid.slice(0, 3), uuid)

function named(table: string): string {
  if (/^\w+$/.test(table)) return table
  throw new EvidenceError('bug', `${JSON.stringify(table)} is not a table of this store.`)
}
