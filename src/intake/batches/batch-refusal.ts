import type { NextStep } from '#next-step.ts'
import { AdvisedError } from '#refusal.ts'

/** Reasons to refuse a whole batch, of which nothing is stored then. The surface maps them to statuses. */
export type IntakeRefusalKind =
  /** Truncated or corrupt compression, binary content, or no JSON. */
  | 'not_readable'
  | 'too_large'
  | 'invalid_parameter'
  /** The Idempotency-Key belongs to another body. */
  | 'key_reused'
  /** The token was revoked while the batch was sent. */
  | 'unauthenticated'
  | 'source_disconnected'
  /** Too much work at once: the sender should try again. */
  | 'busy'

export class IntakeRefusal extends AdvisedError {
  readonly kind: IntakeRefusalKind
  constructor(kind: IntakeRefusalKind, detail: string, next?: NextStep) {
    super(detail, next)
    this.name = 'IntakeRefusal'
    this.kind = kind
  }
}
