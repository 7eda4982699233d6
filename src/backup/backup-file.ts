/** Writes the file of a backup, which exists under its name only if it is complete. */
import { rmSync, type Stats, statfsSync, statSync } from 'node:fs'
import { type FileHandle, open, rename } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { syncFolder } from '#machine/sync-folder.ts'
import { Refusal } from '#refusal.ts'
import type { BackupStream } from './take.ts'

export interface BackupWriting {
  force: boolean
  signal: AbortSignal
  onWritten(bytes: number): void
}

/**
 * @throws Refusal conflict (it exists), not_readable (it is not a regular file, its folder does not exist, or this user
 * may not look there).
 */
export function refuseExisting(file: string, { force }: { force: boolean }): void {
  if (file === '')
    throw new Refusal('not_readable', 'the name of the backup file is empty: give a path, such as spoor.tar')
  const found = statsOf(file)
  if (found === undefined) {
    refuseMissingFolder(file)
    return
  }
  if (found.isDirectory()) {
    throw new Refusal('not_readable', `${file} is a folder: name a file in it, such as ${resolve(file, 'spoor.tar')}`)
  }
  if (!found.isFile()) {
    throw new Refusal(
      'not_readable',
      `${file} is not a regular file, and only such a file is replaced: name another file`,
    )
  }
  if (!force) {
    throw new Refusal('conflict', `${file} exists: name another file, or give --force to replace it`)
  }
}

/** @throws Refusal not_readable: the folder of the file does not exist. A path with a final slash is a folder. */
function refuseMissingFolder(file: string): void {
  const folder = file.endsWith('/') ? resolve(file) : dirname(resolve(file))
  const found = statsOf(folder)
  if (found === undefined) {
    throw new Refusal(
      'not_readable',
      `the folder ${folder} does not exist: create it, or name a file in a folder that exists`,
    )
  }
  if (!found.isDirectory()) {
    throw new Refusal('not_readable', `${folder} is not a folder, so it cannot hold ${file}: name a file in a folder`)
  }
}

function statsOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch (error) {
    throw refuseFile(file, error)
  }
}

/**
 * Writes `file` (mode 0600) durably, by way of `file.partial`. An older file stays until the new one is complete.
 * @throws Refusal conflict (it exists), store_busy (its disk is full), not_readable (it cannot be written).
 */
export async function writeBackup(
  file: string,
  { size, chunks }: BackupStream,
  { force, signal, onWritten }: BackupWriting,
): Promise<{ bytes: number }> {
  const partial = `${file}.partial`
  try {
    refuseFullDisk(file, size)
    rmSync(partial, { force: true })
    const handle = await open(partial, 'wx', 0o600)
    try {
      await writeAll(handle, chunks, signal, onWritten)
      await handle.sync()
    } finally {
      await handle.close()
    }
    refuseExisting(file, { force })
    await rename(partial, file)
    await syncFolder(dirname(resolve(file)))
    return { bytes: size }
  } catch (error) {
    removeUnfinished(partial)
    throw refuseFile(file, error)
  }
}

/** Removes an unfinished file; a failure, such as a missing folder, must not hide why the backup failed. */
function removeUnfinished(partial: string): void {
  try {
    rmSync(partial, { force: true })
  } catch {}
}

async function writeAll(
  handle: FileHandle,
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  onWritten: (bytes: number) => void,
): Promise<void> {
  let written = 0
  for await (const chunk of chunks) {
    signal.throwIfAborted()
    await handle.writeFile(chunk)
    written += chunk.byteLength
    onWritten(written)
  }
}

function refuseFullDisk(file: string, size: number): void {
  const { bavail, bsize } = statfsSync(dirname(resolve(file)))
  const free = bavail * bsize
  if (free >= size) return
  throw new Refusal(
    'store_busy',
    `the disk of ${file} has ${free} bytes free and the backup needs ${size}: free some space, or write to another disk`,
  )
}

function refuseFile(file: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new Refusal('store_busy', `the disk of ${file} is full: no backup was made. Free some space and repeat`)
  }
  if (
    code !== undefined &&
    ['ENOENT', 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'EFBIG', 'ELOOP', 'ENAMETOOLONG'].includes(code)
  ) {
    return new Refusal(
      'not_readable',
      `${file} cannot be written (${CAUSES.get(code) ?? message}): name a file in a folder this user may write`,
    )
  }
  return error
}

const CAUSES: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'its folder does not exist'],
  ['EACCES', 'this user may not write there'],
  ['EPERM', 'this user may not write there'],
  ['EROFS', 'its disk is read-only'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['EFBIG', 'its disk does not allow a file of this size'],
])
