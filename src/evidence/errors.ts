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
