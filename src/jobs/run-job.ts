/** Runs one job and reports its outcome in the log, to observers and in the job's row (decisions 8). */
import type { Logger } from 'pino'
import { OutgoingRefusal } from '#outgoing/refused.ts'
import { Refusal } from '#refusal.ts'
import type { Job, JobEnded } from './job.ts'
import { endLease, type Lease, type LeaseContext, LeaseLost, type RunOutcome, takeLease } from './lease.ts'
import { runOnce } from './run-once.ts'

export type LimitedJob = Job & { limit_ms: number }

export interface RunContext extends LeaseContext {
  log: Logger
  onJob: (ended: JobEnded) => void
  /** Returns a number from 0 to under 1, by which a pause is multiplied. */
  random: () => number
  /** Aborted when the service stops. */
  stopping: AbortSignal
}

const FIRST_PAUSE_MS = 30_000
const MIN_PAUSE_MS = 1_000
/** After this many doublings a pause exceeds every period. */
const MAX_DOUBLINGS = 20

/** Runs a job if its lease is free. After a failure it is due again after a pause. */
export async function runLeased(ctx: RunContext, job: LimitedJob): Promise<void> {
  const { clock, log, onJob, random, stopping } = ctx
  const lease = await takeLease(ctx, job)
  if (lease === null) return
  const started = clock.elapsed()
  const report = (failed: boolean, more: Pick<JobEnded, 'days'> = {}) =>
    onJob({ job: job.name, seconds: (clock.elapsed() - started) / 1_000, failed, ...more })
  try {
    const result = await runOnce(ctx, job, lease, stopping)
    await end(ctx, lease, { how: 'succeeded' })
    const days = job.days !== undefined && typeof result === 'number' ? result : 0
    if (days > 0) log.info({ days }, job.days?.message)
    report(false, job.days?.are_derived === true ? { days } : {})
  } catch (error) {
    if (stopping.aborted) return await end(ctx, lease, { how: 'stopped' })
    const again_in_ms = pauseAfter(lease.attempts + 1, job.every_ms, random)
    log.warn({ job: job.name, attempts: lease.attempts + 1, again_in_ms, ...reasonOf(error) }, 'a job failed')
    if (!(error instanceof LeaseLost)) {
      await end(ctx, lease, { how: 'failed', error: String(messageOf(error)), again_in_ms })
    }
    report(true)
  }
}

/** Runs a job without a lease, because each node runs it. */
export async function runUnleased({ clock, log, onJob, stopping }: RunContext, job: LimitedJob): Promise<void> {
  const started = clock.elapsed()
  let failed = false
  try {
    await job.run(AbortSignal.any([stopping, AbortSignal.timeout(job.limit_ms)]), { check: async () => {} })
  } catch (error) {
    failed = true
    if (!stopping.aborted) log.warn({ job: job.name, ...reasonOf(error) }, 'a job failed')
  }
  onJob({ job: job.name, seconds: (clock.elapsed() - started) / 1_000, failed })
}

/** Exponential backoff with full jitter, never longer than the job's own period. */
export function pauseAfter(attempts: number, every_ms: number, random: () => number): number {
  const maxPauseMs = Math.min(every_ms, FIRST_PAUSE_MS * 2 ** Math.min(attempts - 1, MAX_DOUBLINGS))
  return Math.max(MIN_PAUSE_MS, Math.round(random() * maxPauseMs))
}

async function end(ctx: RunContext, lease: Lease, outcome: RunOutcome): Promise<void> {
  const written = await endLease(ctx, lease, outcome).catch((error: unknown) => {
    ctx.log.error(
      { err: error, job: lease.name },
      'the end of a job could not be written; it runs again when its lease has expired',
    )
    return true
  })
  if (!written) ctx.log.warn({ job: lease.name }, 'a job had been taken over by another run before it ended')
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : error)

/** A refusal is logged by its kind, because its message may name a host, which no log holds (rules 7). */
function reasonOf(error: unknown): object {
  if (error instanceof OutgoingRefusal) return { reason: error.kind, code: error.code }
  return error instanceof Refusal ? { reason: error.kind } : { err: error }
}
