/** Runs a leased job once: renews the lease meanwhile, and signals the run when it must end. */

import type { Job } from './job.ts'
import { assertHeld, type Lease, type LeaseContext, LeaseLost, renewLease } from './lease.ts'

/** How often a lease is renewed within its duration, so that one renewal may fail. */
const RENEWALS = 3

/** The reason of the signal after the limit of a run. */
export class TookTooLong extends Error {}

/** Runs a job, and resolves with its result. Rejects with its error, or with the reason of the signal. */
export async function runOnce(
  ctx: LeaseContext,
  job: Job & { limit_ms: number },
  lease: Lease,
  stop: AbortSignal,
): Promise<unknown> {
  const { clock, lease_ms } = ctx
  const ending = new AbortController()
  const signal = AbortSignal.any([ending.signal, stop])
  let held_until = clock.elapsed() + lease_ms
  const renew = async () => {
    if (signal.aborted) return
    // By this machine's clock before the request: the lease may end this long after it, and another run may begin.
    const asked_at = clock.elapsed()
    if (asked_at >= held_until) return ending.abort(new LeaseLost(job.name))
    const is_held = await renewLease(ctx, lease).catch(() => null)
    if (is_held === false) ending.abort(new LeaseLost(job.name))
    // If the store did not answer, it is asked again; the lease is valid until it expires.
    if (is_held === true) held_until = asked_at + lease_ms
  }
  const renewing = setInterval(renew, lease_ms / RENEWALS)
  const late = () => ending.abort(new TookTooLong(`It took longer than ${job.limit_ms / 1_000} s and was stopped.`))
  const limit = setTimeout(late, job.limit_ms)
  try {
    const result = await job.run(signal, { check: (trx) => assertHeld(trx, lease) })
    signal.throwIfAborted()
    return result
  } catch (error) {
    // The reason of the signal is more specific than the error that it caused.
    signal.throwIfAborted()
    throw error
  } finally {
    clearInterval(renewing)
    clearTimeout(limit)
  }
}
