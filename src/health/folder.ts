import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { readFreeSpace } from '#evidence/free-space.ts'
import { formatSize } from '#quantities.ts'
import { type Finding, finding } from './findings.ts'

/** What can be said of a data folder without opening it. */
export async function checkFolder(folder: string): Promise<Finding[]> {
  const stats = await stat(folder).catch((error: NodeJS.ErrnoException) => error)
  if (stats instanceof Error) {
    return stats.code === 'ENOENT'
      ? [finding('data_folder_missing', `${folder} does not exist.`)]
      : [finding('data_folder_unusable', `${folder} cannot be read (${stats.code}).`)]
  }
  if (!stats.isDirectory())
    return [
      finding('data_folder_unusable', `${folder} is ${stats.isFile() ? 'a file, not a folder' : 'not a folder'}.`),
    ]
  const refused = await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).catch(
    (error: NodeJS.ErrnoException) => error,
  )
  if (refused instanceof Error) return [finding('data_folder_unusable', `${folder} cannot be used (${refused.code}).`)]
  const mode = stats.mode & 0o777
  const folderFinding =
    (mode & 0o077) === 0
      ? finding('data_folder', `${folder} is private and writable.`)
      : finding('data_folder_not_private', `${folder} has mode ${mode.toString(8)}.`)
  return [folderFinding, await checkSpace(folder)]
}

async function checkSpace(folder: string): Promise<Finding> {
  const { free_bytes, reserve_bytes } = await readFreeSpace(folder)
  const said = `${formatSize(free_bytes)} are free; the stores keep ${formatSize(reserve_bytes)} free.`
  if (free_bytes <= reserve_bytes) return finding('free_space_out', said)
  return finding(free_bytes < reserve_bytes * 2 ? 'free_space_low' : 'free_space', said)
}
