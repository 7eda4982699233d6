import type { NextStep } from '#next-step.ts'
import { AdvisedError } from '#refusal.ts'

/** Why a whole batch is not taken; nothing of it is stored then. A closed list, mapped to statuses by the surface. */
export type IntakeRefusalKind =
  /** Truncated or corrupt compression, binary content, or nothing in it is JSON. */
  | 'not_readable'
  | 'too_large'
  | 'invalid_parameter'
  /** An Idempotency-Key that came with another body before. */
  | 'key_reused'
  /** The token ended while the batch was on its way. */
  | 'unauthenticated'
  | 'source_disconnected'
  /** More work than the service takes at once: the sender tries again. */
  | 'busy'

export class IntakeRefusal extends AdvisedError {
  readonly kind: IntakeRefusalKind
  constructor(kind: IntakeRefusalKind, detail: string, next?: NextStep) {
    super(detail, next)
    this.name = 'IntakeRefusal'
    this.kind = kind
  }
}
