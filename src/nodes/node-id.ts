/** The id of the node of a data folder. It is created once, so that each start finds its spool and its number. */
import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '#refusal.ts'

const FILE = 'node.id'
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Call it while the folder is locked. @throws Refusal not_readable: the file holds no id. */
export async function nodeIdOf(folder: string): Promise<string> {
  const file = join(folder, FILE)
  const known = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return null
  })
  if (known !== null && UUID.test(known.trim())) return known.trim()
  if (known !== null) {
    throw new Refusal(
      'not_readable',
      `The file ${file} must hold the uuid of this node, not ${JSON.stringify(known.slice(0, 60))}. Put back the right one, ` +
        'or remove the file: the folder is a new node then, and the old one is given up with {next}.',
      { next: { step: 'node.lost' } },
    )
  }
  const created = randomUUID()
  await writeFile(file, `${created}\n`, { mode: 0o600, flush: true })
  return created
}
