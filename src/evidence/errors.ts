/**
 * Why the evidence store failed, a closed set:
 * - `unavailable`: closed, closing, or its folder cannot be used
 * - `locked`: another process has the data folder
 * - `disk_full`, `memory`, `timeout`: the limits of the machine or of one statement
 * - `newer_schema`: a newer Spoor has written the folder
 * - `older_schema`: an earlier release has, and a check does not change that
 * - `bug`: all else; a statement and the tables or a schema do not fit
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

/** Thrown by every evidence store, whatever engine is behind it; the engine's own error is the cause. */
export class EvidenceError extends Error {
  readonly kind: EvidenceErrorKind
  constructor(kind: EvidenceErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'EvidenceError'
    this.kind = kind
  }
}
