/** In a folder that all nodes see (`shared`), each node has a spool for each of its epochs. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The name of a node's spool, by which its batches are counted too. */
export const spoolName = (node_id: string, epoch: number): string => `${node_id}-${epoch}`

export interface SpoolFolder {
  name: string
  folder: string
}

/** The spools of a node up to an epoch, oldest first. */
export async function findSpools(shared_folder: string, node_id: string, through: number): Promise<SpoolFolder[]> {
  const names = await readdir(shared_folder)
  return names
    .filter((name) => name.startsWith(`${node_id}-`))
    .map((name) => ({ name, epoch: Number(name.slice(node_id.length + 1)) }))
    .filter(({ epoch }) => Number.isSafeInteger(epoch) && epoch <= through)
    .sort((a, b) => a.epoch - b.epoch)
    .map(({ name }) => ({ name, folder: join(shared_folder, name) }))
}
