import { MINUTE_MS } from '#clock.ts'
import type { ControlTransaction } from '#control/store.ts'

/** Work that is done again and again, by one process at a time of all that share the control store. */
export interface Job {
  /** Lower-case words joined by `_`, fixed in the code: it is also a label of the metrics. */
  name: string
  /** From the beginning of one run to the next, in milliseconds. */
  every_ms: number
  /** It deletes by age, alerts, asks other servers, or needs such a job: under `--clock` it does not run (rules 4). */
  rests_under_simulated_clock: boolean
  /** A run that lasts longer is broken off and has failed; 15 minutes by default. */
  limit_ms?: number
  /** Works on what this process alone holds, so that a start takes it over from the process before. */
  is_of_folder?: true
  /**
   * Works on the memory of its process. On nodes each runs it by itself, without a lease; where there is one service,
   * as all other jobs.
   */
  is_of_process?: true
  /** A run resolves with a number of days: what the log says of them, and whether they were derived. */
  days?: { message: string; are_derived: boolean }
  /**
   * One run. It may be begun again at any time and do its work twice, so it must be repeatable. `signal` asks it to
   * end: the service stops, the limit is reached, or the lease is gone and another run may have begun.
   */
  run(signal: AbortSignal, held: Held): Promise<unknown>
}

/** A job that rests under a simulated clock; once a minute unless it says another time. */
export const restingJob = (job: Pick<Job, 'name' | 'run'> & Partial<Job>): Job => ({
  every_ms: MINUTE_MS,
  rests_under_simulated_clock: true,
  ...job,
})

export interface Held {
  /** First in a transaction whose writes would hurt after another run has begun. @throws LeaseLost */
  check(trx: ControlTransaction): Promise<void>
}

/** One run or round of a job that has ended, for those who observe it. */
export interface JobEnded {
  job: string
  seconds: number
  failed: boolean
  /** Days derived, where the job derives days. */
  days?: number
}
