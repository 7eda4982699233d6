/** Why the domain says no. A closed union: each surface maps every kind to its own status and wording, and nothing else. */
export type RefusalKind =
  | 'invalid_input'
  | 'unauthenticated'
  | 'forbidden'
  | 'site_not_found'
  | 'not_found'
  | 'conflict'
  | 'not_readable'
  | 'reader_unavailable'
  | 'not_built'
  | 'too_large'
  | 'store_busy'
  | 'unreachable'

/** Thrown by the domain for everything that is the caller's to mend; anything else thrown is a bug. */
export class Refusal extends Error {
  readonly kind: RefusalKind
  constructor(kind: RefusalKind, detail: string, options: ErrorOptions = {}) {
    super(detail, options)
    this.name = 'Refusal'
    this.kind = kind
  }
}
