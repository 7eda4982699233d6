import { Refusal } from '#refusal.ts'

/** SQLite's primary result codes: the low byte of an extended one. */
const READONLY = 8
const IOERR = 10
const FULL = 13
const CANTOPEN = 14

/** What the disk denies is the operator's to mend and reads as a sentence; every other failure stays as it is. */
export function refuseDisk(error: unknown): unknown {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return error
  const words = WORDS.get(error.errcode & 0xff)
  return words === undefined ? error : new Refusal('store_busy', words)
}

const WORDS: ReadonlyMap<number, string> = new Map([
  [FULL, 'The disk of the data folder is full: nothing was stored. Free some space and try again.'],
  [
    READONLY,
    'The disk of the data folder is read-only: nothing was stored. Look into the system log for the cause, mount it writable, start Spoor again.',
  ],
  [IOERR, denied()],
  [CANTOPEN, denied()],
])

function denied(): string {
  return 'The disk of the data folder failed or is full or read-only: nothing was stored. Look into the system log for the cause, free some space, start Spoor again.'
}
