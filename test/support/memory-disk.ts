import { accessSync, constants, statfsSync } from 'node:fs'

const MEMORY_DISK = '/dev/shm'
/** The folders of three test files at once stay far below it. */
const MIN_FREE_BYTES = 4 * 1024 ** 3

/**
 * Where the run keeps its temporary folders: the file system in memory, because a third of the suite's time is spent
 * waiting for the disk otherwise; nothing that a test proves depends on it. Null leaves the choice to the environment:
 * `TMPDIR` is set, or the file system is absent (macOS) or small (containers).
 */
export function memoryDisk(): string | null {
  if (process.env.TMPDIR !== undefined) return null
  try {
    accessSync(MEMORY_DISK, constants.R_OK | constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY_DISK)
    return bavail * bsize < MIN_FREE_BYTES ? null : MEMORY_DISK
  } catch {
    return null
  }
}
