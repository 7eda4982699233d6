/** Runs jobs when they are due, each in one process at a time, and after failures with growing pauses (decisions 8). */
import type { Logger } from 'pino'
import { MINUTE_MS } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import type { Job, JobEnded } from './job.ts'
import type { JobRequests } from './job-requests.ts'
import { ensureJob, freeJobs, isDue, makeDue } from './lease.ts'
import { repeatCheck } from './repeat-check.ts'
import { type LimitedJob, type RunContext, runLeased, runUnleased } from './run-job.ts'

export interface ScheduleContext extends ControlContext {
  log: Logger
  onJob?: (ended: JobEnded) => void
  /** The service has a simulated clock (`--clock`), under which some jobs do not run (rules 4). */
  is_clock_simulated: boolean
  lease_ms?: number
  /** This is one of several nodes, which run the same jobs, so a start does not take jobs over. */
  is_node?: boolean
  /** True while the clock of this node differs too much from the database's: no job starts. */
  isClockWrong?: () => boolean
  /** Receives requests for jobs. */
  requests?: JobRequests
  /** How often the schedule checks for due jobs. */
  look_every_ms?: number
  /** Returns a number from 0 to under 1, by which a pause is multiplied. */
  random?: () => number
}

export interface Schedule {
  /** The jobs that this process runs when they are due. */
  readonly jobs: readonly string[]
  /** Checks for due jobs at once; a named job becomes due. */
  nudge(name?: string): Promise<void>
  /** Asks running jobs to end, waits for them, and releases their leases. */
  stop(): Promise<void>
}

const LEASE_MS = MINUTE_MS
const LOOK_EVERY_MS = 5_000
const LIMIT_MS = 15 * MINUTE_MS

/** Starts the schedule; due jobs begin at once. */
export function startSchedule(context: ScheduleContext, jobs: readonly Job[]): Schedule {
  const { control, clock, log, onJob = () => {}, lease_ms = LEASE_MS, random = Math.random } = context
  const stopping = new AbortController()
  const ctx: RunContext = { control, clock, lease_ms, log, onJob, random, stopping: stopping.signal }
  const ownJobs = jobs
    .filter((job) => !(context.is_clock_simulated && job.rests_under_simulated_clock))
    .map((job): LimitedJob => ({ limit_ms: LIMIT_MS, ...job }))
  const running = new Map<string, Promise<void>>()
  let is_clock_wrong = false
  /** When jobs without a lease are due again, by the monotonic clock. */
  const unleased_due_at = new Map<string, number>()
  const isUnleased = (job: Job) => context.is_node === true && job.runs_on_each_node === true

  const begin = (job: LimitedJob) => {
    if (isUnleased(job)) unleased_due_at.set(job.name, clock.elapsed() + job.every_ms)
    const run_now = (isUnleased(job) ? runUnleased(ctx, job) : runLeased(ctx, job)).catch((error: unknown) =>
      log.warn({ err: error, job: job.name }, 'a job could not be started'),
    )
    running.set(
      job.name,
      run_now.finally(() => running.delete(job.name)),
    )
  }

  /** No job starts with a wrong clock, because many jobs delete or report by time. */
  const isClockWrong = () => {
    const was_clock_wrong = is_clock_wrong
    is_clock_wrong = context.isClockWrong?.() === true
    if (is_clock_wrong && !was_clock_wrong)
      log.warn('no job starts: the clock of this node is too far from the database’s')
    return is_clock_wrong
  }
  const startDueJobs = async () => {
    if (isClockWrong()) return
    const rows = new Map((await control.db.selectFrom('jobs').selectAll().execute()).map((row) => [row.name, row]))
    for (const job of ownJobs) {
      if (isUnleased(job)) {
        const due_at = unleased_due_at.get(job.name) ?? Number.NEGATIVE_INFINITY
        if (!running.has(job.name) && !stopping.signal.aborted && due_at <= clock.elapsed()) begin(job)
        continue
      }
      const row = rows.get(job.name)
      if (row === undefined) await ensureJob(ctx, job)
      if (stopping.signal.aborted) return
      if (!running.has(job.name) && (row === undefined || isDue(row, job, clock.shared(), lease_ms))) begin(job)
    }
  }
  // The folder's lock proves that its previous process has ended. Other nodes may still run its jobs.
  const freed = freeJobs(
    ctx,
    ownJobs.filter((job) => job.belongs_to_folder && context.is_node !== true).map((job) => job.name),
  ).catch((error: unknown) => log.warn({ err: error }, 'jobs of an earlier process could not be taken over'))
  const { checkNow, ended } = repeatCheck(startDueJobs, {
    after: freed,
    every_ms: context.look_every_ms ?? LOOK_EVERY_MS,
    stopping: stopping.signal,
    onFailing: (error) => log.warn({ err: error }, 'the control store could not be asked which jobs are due'),
  })
  // Jobs without a lease have no row with an outcome.
  const names = ownJobs.filter((job) => !isUnleased(job)).map((job) => job.name)
  const checkJob = (name: string) => {
    unleased_due_at.delete(name)
    return checkNow()
  }
  const stopServing = context.requests?.serve(names, checkJob)
  return {
    jobs: names,
    async nudge(name) {
      if (name !== undefined) await makeDue(ctx, name)
      await (name === undefined ? checkNow() : checkJob(name))
    },
    async stop() {
      stopServing?.()
      stopping.abort(new Error('The service stops.'))
      await ended()
      await Promise.all(running.values())
    },
  }
}
