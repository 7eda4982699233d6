/** Reads the engine's folder from its files, without the engine, which may be missing or fail on a damaged folder. */
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** Tables that every start fills, even if there is no evidence. */
const TABLES_WITHOUT_EVIDENCE: readonly string[] = ['identity', 'import_rows', 'schema_versions']

/** `<partition>_<first block>_<last block>_<level>`, with a fifth number after a mutation. */
const PART = /^\w+_\d+_\d+_\d+(_\d+)?$/

/**
 * Whether an embedded evidence store has a row of evidence; false without a store. Tables are found by the engine's own
 * definitions, because the links in `data` may lead elsewhere in a copied folder.
 */
export async function holdsEvidenceParts(folder: string): Promise<boolean> {
  const ignored = (await definedTables(folder)).filter(({ name }) => TABLES_WITHOUT_EVIDENCE.includes(name))
  for (const path of await foldersOfStore(folder)) {
    const is_ignored = ignored.some((table) => path === table.folder)
    if (!is_ignored && (await namesIn(path)).some((name) => PART.test(name))) return true
  }
  return false
}

/** Tables that are defined and whose folder is gone. The engine would create empty ones in their place. */
export async function tablesWithoutFolder(folder: string): Promise<string[]> {
  const existing = new Set(await foldersOfStore(folder))
  const gone = (await definedTables(folder)).filter((table) => !existing.has(table.folder))
  return gone.map(({ name }) => name).sort()
}

/** Every table that is defined, and the folder of its parts. */
async function definedTables(folder: string): Promise<{ name: string; folder: string }[]> {
  const files = (await Promise.all((await foldersOfStore(folder)).map(pathsIn))).flat()
  const found: { name: string; folder: string }[] = []
  for (const path of files.filter((file) => file.endsWith('.sql'))) {
    const uuid = /\bUUID '([\da-f-]{36})'/.exec(await readFile(path, 'utf8'))?.[1]
    if (uuid === undefined) continue
    found.push({ name: basename(path, '.sql'), folder: join(folder, 'store', uuid.slice(0, 3), uuid) })
  }
  return found
}

/** The folders of databases and tables. */
async function foldersOfStore(folder: string): Promise<string[]> {
  const store = join(folder, 'store')
  return (await Promise.all((await namesIn(store)).map((prefix) => pathsIn(join(store, prefix))))).flat()
}

async function pathsIn(folder: string): Promise<string[]> {
  return (await namesIn(folder)).map((name) => join(folder, name))
}

/** The entries of a folder; empty if it is not a folder, or has been dropped. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))) return []
    throw error
  }
}
