/** Passes rows by column to the embedded engine through a file, because it accepts only text from memory. */
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { NativeRows } from '../rows/native-rows.ts'
import { evidenceErrorOf } from './errors.ts'

export class IncomingRows {
  readonly #folder: string
  #files = 0

  /** `folder`: the data folder of the engine. */
  constructor(folder: string) {
    this.#folder = join(folder, 'incoming')
  }

  /** Removes files that an earlier process left. */
  async clear(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
    await mkdir(this.#folder, { mode: 0o700 })
  }

  /**
   * Calls `insert` with a file of the rows, which is removed when that ends. The file need not survive a crash.
   * @throws EvidenceError disk_full, unavailable: the file could not be written; nothing was inserted.
   */
  async with<T>(rows: NativeRows, insert: (file: string) => Promise<T>): Promise<T> {
    const path = join(this.#folder, `${this.#files++}.native`)
    try {
      await writeFile(path, rows.pieces)
      return await insert(path)
    } finally {
      await rm(path, { force: true })
    }
  }
}

async function writeFile(path: string, pieces: readonly Uint8Array[]): Promise<void> {
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      await writeAll(file, pieces)
    } finally {
      await file.close()
    }
  } catch (error) {
    const known = evidenceErrorOf(error)
    throw known.kind === 'bug' ? error : known
  }
}

/** The most pieces that the operating system accepts in one call. */
const MAX_PIECES = 1_024

async function writeAll(file: Awaited<ReturnType<typeof open>>, pieces: readonly Uint8Array[]): Promise<void> {
  for (let at = 0; at < pieces.length; at += MAX_PIECES) {
    const some = pieces.slice(at, at + MAX_PIECES)
    const size = some.reduce((sum, { length }) => sum + length, 0)
    const { bytesWritten } = await file.writev(some)
    if (bytesWritten !== size) throw new Error(`No space left on device: ${bytesWritten} of ${size} bytes were written`)
  }
}
