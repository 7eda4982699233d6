/** The file of a backup: it appears whole under its name or not at all. */
import { rmSync, type Stats, statfsSync, statSync } from 'node:fs'
import { type FileHandle, open, rename } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Refusal } from '#refusal.ts'
import type { BackupStream } from './take.ts'

export interface Writing {
  force: boolean
  signal: AbortSignal
  onWritten(bytes: number): void
}

/** @throws Refusal conflict (it exists), not_readable (it is not a regular file, or this user may not look there). */
export function refuseExisting(file: string, { force }: { force: boolean }): void {
  const found = statsOf(file)
  if (found === undefined) return
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

function statsOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch (error) {
    throw refuseFile(file, error)
  }
}

/**
 * Writes `file` (mode 0600) by way of `file.partial`, durably. An older file stays until the new one is whole.
 * @throws Refusal conflict (it exists), store_busy (its disk is full), not_readable (it cannot be written).
 */
export async function writeBackup(
  file: string,
  { size, chunks }: BackupStream,
  { force, signal, onWritten }: Writing,
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
    rmSync(partial, { force: true })
    throw refuseFile(file, error)
  }
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

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
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
      `${file} cannot be written (${message}): name a file in a folder this user may write`,
    )
  }
  return error
}
