import { MINUTE_MS } from '#clock.ts'
import type { ControlTransaction } from '#control/store.ts'

/** Periodic work, which only one of the processes on the control store does at a time. */
export interface Job {
  /** Lower-case words joined by `_`, fixed in the code: it is also a label of the metrics. */
  name: string
  /** The time from the start of one run to the start of the next, in milliseconds. */
  every_ms: number
  /**
   * It does not run under a simulated clock (`--clock`), because it deletes by age, sends alerts, requests other
   * servers, or needs such a job (rules 4).
   */
  rests_under_simulated_clock: boolean
  /** A run that takes longer is stopped and has failed; 15 minutes by default. */
  limit_ms?: number
  /** Works on the data folder of this process, so that a start takes the job over from the previous process. */
  belongs_to_folder?: true
  /**
   * Works on the memory of its process. Each of several nodes runs it without a lease; a single service runs it like
   * other jobs.
   */
  runs_on_each_node?: true
  /** If a run resolves with a number of days: the log message about them, and whether they were derived. */
  days?: { message: string; are_derived: boolean }
  /**
   * One run. It must be repeatable, because a run may begin again at any time. `signal` requests its end: the service
   * stops, the limit is reached, or the lease is lost and another run may have begun.
   */
  run(signal: AbortSignal, lease: JobLease): Promise<unknown>
}

/** A job that rests under a simulated clock; by default once a minute. */
export const restingJob = (job: Pick<Job, 'name' | 'run'> & Partial<Job>): Job => ({
  every_ms: MINUTE_MS,
  rests_under_simulated_clock: true,
  ...job,
})

/** The lease of a run. */
export interface JobLease {
  /** Call it first in each transaction that must not be written after another run has begun. @throws LeaseLost */
  check(trx: ControlTransaction): Promise<void>
}

/** An ended run of a job, for observers. */
export interface JobEnded {
  job: string
  seconds: number
  failed: boolean
  /** The number of derived days, if the job derives days. */
  days?: number
}
