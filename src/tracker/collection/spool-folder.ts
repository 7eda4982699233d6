/** Creates and writes the files of the spool, and detects that another program removed them. */
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '#machine/sync-folder.ts'
import { encodeFrame } from './spool-file.ts'
import { linesOf, type Segment } from './spool-segment.ts'

/**
 * Creates the folder if it is missing, but not its parents: without the data folder, nothing may be acknowledged.
 * @throws the system's error.
 */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

/** Creates a file. If the folder is missing, creates it and calls `onMissing` first. */
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

/** On Linux, O_DSYNC makes each write durable, without a second call. Other systems need a sync after the write. */
const SYNCS_WRITES = process.platform === 'linux'
const WRITING = constants.O_WRONLY | constants.O_CREAT | (SYNCS_WRITES ? constants.O_DSYNC : 0)

/** Creates a file for `writeDurably`; it must not exist yet. */
const openNew = (file: string): Promise<FileHandle> => open(file, WRITING | constants.O_EXCL, 0o600)

/** Identifies a file independently of its name. */
export interface SpoolFileIdentity {
  ino: number
  dev: number
}

export async function spoolFileIdentity(handle: FileHandle): Promise<SpoolFileIdentity> {
  const { ino, dev } = await handle.stat()
  return { ino, dev }
}

/** Whether the path still leads to the open file: writes to a removed or moved file do not fail. */
export async function isInPlace(file: string, { ino, dev }: SpoolFileIdentity): Promise<boolean> {
  const named = await statOrNull(file)
  return named !== null && named.ino === ino && named.dev === dev
}

export const isMissing = async (file: string): Promise<boolean> => (await statOrNull(file)) === null

/**
 * Writes the rows of a segment from memory to its file again, with the same number of bytes, and makes them durable.
 */
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

/** Resolves once the bytes are on the disk. The file must have been opened by this module. */
export async function writeDurably(handle: FileHandle, frame: Buffer, position: number): Promise<void> {
  await writeWhole(handle, frame, position)
  if (!SYNCS_WRITES) await handle.datasync()
}

/** Repeats partial writes: a disk that fills up accepts a part first, and fails with the next write. */
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
