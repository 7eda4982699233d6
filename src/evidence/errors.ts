/**
 * Why the evidence store failed, as a closed set:
 * - `unavailable`: closed, closing, or its folder cannot be used
 * - `locked`: another process has the data folder
 * - `disk_full`, `memory`, `timeout`: the limits of the machine or of one statement
 * - `newer_schema`: a newer Spoor has written the folder
 * - `older_schema`: an earlier release has written the folder, and the caller does not migrate it
 * - `bug`: everything else; a statement does not fit the tables or its schema
 */
export type EvidenceErrorKind =
  | 'unavailable'
  | 'locked'
  | 'disk_full'
  | 'memory'
  | 'timeout'
  | 'newer_schema'
  | 'older_schema'
  | 'bug'

/** The error of every evidence store, on any engine; the engine's error is its cause. */
export class EvidenceError extends Error {
  readonly kind: EvidenceErrorKind
  constructor(kind: EvidenceErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'EvidenceError'
    this.kind = kind
  }
}

/**
 * Error codes of the engine for rows that it cannot parse, or whose values do not fit their columns. After any other
 * failure of an insert, the store may accept the same rows later.
 */
const ROW_ERROR_CODES: ReadonlySet<number> = new Set([
  6, 25, 26, 27, 33, 34, 38, 41, 53, 69, 70, 72, 117, 128, 130, 131, 321, 349, 376, 407, 441, 467, 469, 675, 676, 691,
])

/** Whether an insert failed because of the content of its rows. */
export function isRowError(error: unknown): boolean {
  if (!(error instanceof EvidenceError) || error.kind !== 'bug') return false
  const code = engineErrorCode(error.cause)
  return code !== undefined && ROW_ERROR_CODES.has(code)
}

/** The error code of the engine, embedded or on a server; undefined for a failure that is not its own. */
export function engineErrorCode(cause: unknown): number | undefined {
  if (!(cause instanceof Error)) return undefined
  if ('clickhouseCode' in cause && typeof cause.clickhouseCode === 'number') return cause.clickhouseCode
  if ('code' in cause && /^\d+$/.test(String(cause.code))) return Number(cause.code)
  const found = /\bCode: (\d+)\./.exec(cause.message)?.[1]
  return found === undefined ? undefined : Number(found)
}
