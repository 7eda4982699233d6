/** One run of a leased job: the lease is renewed while it lasts, and the run is asked to end when it must. */

import type { Job } from './job.ts'
import { assertHeld, type Lease, type LeaseContext, LeaseLost, renewLease } from './lease.ts'

/** Renewed this often within the time of a lease, so that one renewal may fail. */
const RENEWALS = 3

/** The reason a run gets when it took longer than its limit. */
export class TookTooLong extends Error {}

/** Runs a job to its end; resolves with what it did. Rejects with its error, or with the reason for its end. */
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
    // Measured on this machine and from before the question: by then the store may have given the job to another.
    const asked_at = clock.elapsed()
    if (asked_at >= held_until) return ending.abort(new LeaseLost(job.name))
    const is_held = await renewLease(ctx, lease).catch(() => null)
    if (is_held === false) ending.abort(new LeaseLost(job.name))
    // A store that did not answer is asked again; until the lease runs out the job is still this run's.
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
    // What a run throws because it was asked to end says less than the reason for the request.
    signal.throwIfAborted()
    throw error
  } finally {
    clearInterval(renewing)
    clearTimeout(limit)
  }
}
