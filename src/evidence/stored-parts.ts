/** Reads the content of the engine's folder from its files, without the engine, which may be missing or damaged. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Tables that every start fills, even without evidence. */
const NO_EVIDENCE: readonly string[] = ['identity', 'import_rows', 'schema_versions']

/** `<partition>_<first block>_<last block>_<level>`, with a fifth number after a mutation. */
const PART = /^\w+_\d+_\d+_\d+(_\d+)?$/

/**
 * Whether an embedded evidence store has a row of evidence; false without a store. Tables are found by the engine's own
 * definitions, because the links in `data` may lead elsewhere in a copied folder.
 */
export async function holdsEvidenceParts(folder: string): Promise<boolean> {
  const store = join(folder, 'store')
  const folders = (await Promise.all((await namesIn(store)).map((prefix) => pathsIn(join(store, prefix))))).flat()
  const definitions = (await Promise.all(folders.map(pathsIn))).flat().filter((path) => path.endsWith('.sql'))
  const empty = new Set<string>()
  for (const path of definitions) {
    const uuid = /\bUUID '([\da-f-]{36})'/.exec(await readFile(path, 'utf8'))?.[1]
    if (uuid !== undefined && NO_EVIDENCE.some((name) => path.endsWith(`/${name}.sql`))) empty.add(uuid)
  }
  for (const path of folders) {
    const is_empty = [...empty].some((uuid) => path.endsWith(uuid))
    if (!is_empty && (await namesIn(path)).some((name) => PART.test(name))) return true
  }
  return false
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
