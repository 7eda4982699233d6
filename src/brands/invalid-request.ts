/** Faults of a request about brands that a schema cannot express, each at its field (spec 7.2). */
import type { FieldErrorCode } from '#contract/vocabulary.ts'
import { Refusal } from '#refusal.ts'

/** One faulty field. */
export interface FieldFault {
  /** The keys of its path; numbers are indexes of lists, from 0. */
  path: readonly (string | number)[]
  code: FieldErrorCode
  /** What was given, what is allowed, what to do. */
  message: string
}

/** Refuses a request with every faulty field of it. */
export class InvalidRequest extends Refusal {
  readonly faults: readonly FieldFault[]
  constructor(faults: readonly FieldFault[]) {
    super('invalid_input', faults.map(({ path, message }) => `${path.join('.')}: ${message}`).join(' '))
    this.name = 'InvalidRequest'
    this.faults = faults
  }
}
