import { MAX_STEPS } from '#contract/management-api/definitions.ts'
import { Refusal } from '#refusal.ts'
import { MIN_STEPS } from './limits.ts'

/** @throws Refusal invalid_input. */
export function refuseStepCount(steps: readonly unknown[]): void {
  if (steps.length >= MIN_STEPS && steps.length <= MAX_STEPS) return
  throw new Refusal('invalid_input', `A funnel has ${MIN_STEPS} to ${MAX_STEPS} steps; this one has ${steps.length}.`)
}
