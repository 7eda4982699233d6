import { EvidenceError } from '#evidence/errors.ts'
import { machineAdvice } from '#machine/advice.ts'
import { Refusal } from '#refusal.ts'

/** Faults of the machine or the store become refusals that the operator can act on; a bug keeps its stack. */
export function refuseStore(error: unknown, advice = ''): unknown {
  if (error instanceof Refusal) return error
  const known = error instanceof EvidenceError && error.kind !== 'bug'
  const machine = known ? null : machineAdvice(error)
  if (machine !== null)
    return new Refusal('store_busy', machine.message, machine.next === undefined ? {} : { next: machine.next })
  if (!known) return error
  const kind = error.kind === 'newer_schema' ? 'not_readable' : 'store_busy'
  return new Refusal(kind, `${error.message}${advice}`, { cause: error })
}
