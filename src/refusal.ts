import type { Advised, NextStep } from './next-step.ts'

/** Why the domain declines a request. A closed union: each surface maps every kind to its status and wording. */
export type RefusalKind =
  | 'invalid_input'
  | 'unauthenticated'
  | 'forbidden'
  | 'site_not_found'
  | 'not_found'
  | 'conflict'
  | 'limit_reached'
  | 'not_readable'
  | 'empty_log'
  | 'reader_unavailable'
  | 'not_built'
  | 'too_large'
  | 'store_busy'
  | 'unreachable'

/** An error that names the step that helps; in `message` that step is `{next}` until a surface words it. */
export class AdvisedError extends Error implements Advised {
  readonly next: NextStep | undefined
  constructor(message: string, next?: NextStep, options: ErrorOptions = {}) {
    super(message, options)
    this.next = next
  }
}

/** Thrown by the domain for everything that the caller can correct; anything else thrown is a bug. */
export class Refusal extends AdvisedError {
  readonly kind: RefusalKind
  constructor(kind: RefusalKind, detail: string, { next, ...options }: ErrorOptions & { next?: NextStep } = {}) {
    super(detail, next, options)
    this.name = 'Refusal'
    this.kind = kind
  }
}
