import { EvidenceError, type EvidenceErrorKind, engineErrorCode } from '../errors.ts'

export const DISK_ALMOST_FULL =
  'The disk of the data folder is almost full: nothing was stored. Free some space and try again.'

/** The engine's error codes for failures that are not a bug of Spoor. */
const KINDS: ReadonlyMap<number, { kind: EvidenceErrorKind; message: string }> = new Map([
  [159, { kind: 'timeout', message: 'The statement took longer than allowed. Ask for a shorter window.' }],
  [
    241,
    {
      kind: 'memory',
      message:
        'The statement needs more memory than allowed. Ask for a shorter window, or raise SPOOR_EVIDENCE_MEMORY_MB.',
    },
  ],
  [
    243,
    {
      kind: 'disk_full',
      message: DISK_ALMOST_FULL,
    },
  ],
  [210, { kind: 'unavailable', message: 'The evidence store is stopping.' }],
  [236, { kind: 'unavailable', message: 'The evidence store is stopping.' }],
  [394, { kind: 'unavailable', message: 'The statement was stopped because the evidence store is closing.' }],
])

/** Error codes of the engine for parts whose files are missing or damaged. */
const DAMAGED: ReadonlySet<number> = new Set([40, 74, 76, 107, 226, 228, 246, 271, 432])
/** Error codes that mean a damaged part only if the engine names the part that it read. */
const DAMAGED_PART: ReadonlySet<number> = new Set([32, 33, 1001])
const UNREADABLE =
  'Files of the evidence store cannot be read. Look into the system log for a fault of the disk, then restore a backup (docs/operating/backup.md).'

const READ_ONLY =
  'The disk of the data folder is read-only: nothing was stored. Look into the system log for the cause, mount it writable, start Spoor again.'

/** Maps any failure of the engine to an `EvidenceError`, with the engine's error as its cause. */
export function evidenceErrorOf(error: unknown): EvidenceError {
  if (error instanceof EvidenceError) return error
  const message = error instanceof Error ? error.message : String(error)
  const code = engineErrorCode(error)
  const known = code === undefined ? undefined : KINDS.get(code)
  if (known !== undefined) return new EvidenceError(known.kind, known.message, error)
  // The message is the engine's, or that of the operating system for files that are written for the engine.
  if (/no space left on device|errno: 28\b/i.test(message)) {
    return new EvidenceError('disk_full', 'The disk of the data folder is full. Free some space and try again.', error)
  }
  if (/read-only file system|errno: 30\b/i.test(message)) {
    return new EvidenceError('unavailable', READ_ONLY, error)
  }
  if (isDamage(code, message)) return new EvidenceError('unavailable', UNREADABLE, error)
  if (error instanceof Error && 'code' in error && error.code === 'CHDB_CLOSED') {
    return new EvidenceError('unavailable', 'The evidence store is closed.', error)
  }
  return new EvidenceError('bug', `The engine refused a statement: ${message}`, error)
}

function isDamage(code: number | undefined, message: string): boolean {
  if (code === undefined) return false
  return DAMAGED.has(code) || (DAMAGED_PART.has(code) && /filesystem error|reading from part/.test(message))
}
