import { Refusal } from '#refusal.ts'

/** SQLite's primary result codes: the low byte of an extended one. */
const READONLY = 8
const IOERR = 10
const FULL = 13

/** The disk of the data folder is full, read-only or failing. */
export class DiskRefusal extends Refusal {
  constructor(detail: string) {
    super('store_busy', detail)
  }
}

/** A fault of the disk becomes a refusal that the operator can act on; every other failure stays as it is. */
export function refuseDisk(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const of_sqlite = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
  const of_system = 'code' in error ? SYSTEM.get(String(error.code)) : undefined
  const words = WORDS.get(of_sqlite ?? of_system ?? Number.NaN)
  return words === undefined ? error : new DiskRefusal(words)
}

/** The operating system's error codes with the same meanings. */
const SYSTEM: ReadonlyMap<string, number> = new Map([
  ['ENOSPC', FULL],
  ['EDQUOT', FULL],
  ['EROFS', READONLY],
  ['EIO', IOERR],
])

const WORDS: ReadonlyMap<number, string> = new Map([
  [FULL, 'The disk of the data folder is full: nothing was stored. Free some space and try again.'],
  [
    READONLY,
    'The disk of the data folder is read-only: nothing was stored. Look into the system log for the cause, mount it writable, start Spoor again.',
  ],
  [
    IOERR,
    'The disk of the data folder failed, or is full or read-only: nothing was stored. Look into the system log for the cause, free some space, start Spoor again.',
  ],
])
