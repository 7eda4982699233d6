/** The folder of the spool and its files on the disk, also when another program removes them. */
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '#machine/sync-folder.ts'
import { encodeFrame } from './spool-file.ts'
import { linesOf, type Segment } from './spool-segment.ts'

/**
 * Makes the folder, unless it is there. Not the folders above it: without the data folder nothing may be acknowledged.
 * @throws the system's error.
 */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

/** Makes a new file; where the folder is missing it is made again first, and `onMissing` is called. */
export async function makeFile(folder: string, file: string, onMissing: () => Promise<void>): Promise<FileHandle> {
  const handle = await openNew(file).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    await makeFolder(folder)
    await onMissing()
    return openNew(file)
  })
  await syncFolder(folder)
  return handle
}

/** Linux makes each write durable itself, without a second wait. Of other systems only a sync reaches the disk. */
const SYNCS_WRITES = process.platform === 'linux'
const WRITING = constants.O_WRONLY | constants.O_CREAT | (SYNCS_WRITES ? constants.O_DSYNC : 0)

/** Opens a file that must not be there yet for `writeDurably`. */
const openNew = (file: string): Promise<FileHandle> => open(file, WRITING | constants.O_EXCL, 0o600)

/** By which a file is known again, whatever its name. */
export interface SpoolFileIdentity {
  ino: number
  dev: number
}

export async function spoolFileIdentity(handle: FileHandle): Promise<SpoolFileIdentity> {
  const { ino, dev } = await handle.stat()
  return { ino, dev }
}

/** Whether an open file is the one under its name: a removed or moved one takes writes without any error. */
export async function isInPlace(file: string, { ino, dev }: SpoolFileIdentity): Promise<boolean> {
  const named = await statOrNull(file)
  return named !== null && named.ino === ino && named.dev === dev
}

export const isMissing = async (file: string): Promise<boolean> => (await statOrNull(file)) === null

/** Writes a segment's rows from memory into its file again, in as many bytes as before, and makes them durable. */
export async function writeAgain(segment: Segment, folder: string): Promise<FileHandle> {
  await makeFolder(folder)
  const handle = await openNew(segment.file)
  try {
    const payloads = segment.memory === null ? [] : segment.memory.payloads
    const frames = payloads.map((payload) => encodeFrame(payload, linesOf(payload).length))
    await writeDurably(handle, Buffer.concat(frames), 0)
    await syncFolder(folder)
    return handle
  } catch (error) {
    await handle.close().catch(() => {})
    throw error
  }
}

/** Resolves once the bytes are on the disk; of a file that this module opened. */
export async function writeDurably(handle: FileHandle, frame: Buffer, position: number): Promise<void> {
  await writeWhole(handle, frame, position)
  if (!SYNCS_WRITES) await handle.datasync()
}

/** A disk that becomes full takes a part of what it is given first, and says so with the next write. */
async function writeWhole(handle: FileHandle, frame: Buffer, position: number): Promise<void> {
  for (let written = 0; written < frame.length; ) {
    const { bytesWritten } = await handle.write(frame, written, frame.length - written, position + written)
    written += bytesWritten
  }
}

const PROBE_BYTES = 64 * 1024

/** Whether a file can be made durable in the folder now. */
export async function probeFolder(folder: string): Promise<boolean> {
  const file = join(folder, 'probe')
  try {
    await makeFolder(folder)
    const handle = await open(file, WRITING | constants.O_TRUNC, 0o600)
    try {
      await writeDurably(handle, Buffer.alloc(PROBE_BYTES), 0)
    } finally {
      await handle.close()
    }
    return true
  } catch {
    return false
  } finally {
    await rm(file, { force: true }).catch(() => {})
  }
}

const statOrNull = (file: string) =>
  stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
