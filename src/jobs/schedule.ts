/** Runs leased jobs when due: each in one process at a time, after a failure with growing pauses (decisions 8). */
import type { Logger } from 'pino'
import { MINUTE_MS } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import { OutgoingRefusal } from '#outgoing/refused.ts'
import { Refusal } from '#refusal.ts'
import type { Job, JobEnded } from './job.ts'
import type { JobRequests } from './job-requests.ts'
import {
  endLease,
  ensureJob,
  freeJobs,
  isDue,
  type Lease,
  type LeaseContext,
  LeaseLost,
  makeDue,
  type RunOutcome,
  takeLease,
} from './lease.ts'
import { runOnce } from './run-once.ts'

export interface ScheduleContext extends ControlContext {
  log: Logger
  onJob?: (ended: JobEnded) => void
  /** The service clock is not the machine's (`--clock`): what deletes, alerts or goes outside rests (rules 4). */
  is_clock_simulated: boolean
  lease_ms?: number
  /** One of several nodes: other nodes run the same jobs, so a start takes none over. */
  is_node?: boolean
  /** True while the clock of this node is too far from the database's to go by: no job starts. */
  isClockApart?: () => boolean
  /** Where others ask for a job. */
  requests?: JobRequests
  /** How often the store is asked what is due. */
  look_every_ms?: number
  /** Returns a number from 0 to under 1: the part of a pause that is waited. */
  random?: () => number
}

export interface Schedule {
  /** The jobs that this process runs when they are due. */
  readonly jobs: readonly string[]
  /** Looks at once for what is due; with a name, that job is due. */
  nudge(name?: string): Promise<void>
  /** Asks running jobs to end, waits for them, and gives them back. */
  stop(): Promise<void>
}

const LEASE_MS = MINUTE_MS
const LOOK_EVERY_MS = 5_000
const LIMIT_MS = 15 * MINUTE_MS
const FIRST_PAUSE_MS = 30_000
const MIN_PAUSE_MS = 1_000
/** Past this many doublings every period is reached. */
const MAX_DOUBLINGS = 20

/** Starts them; what is due begins at once. */
export function startSchedule(context: ScheduleContext, jobs: readonly Job[]): Schedule {
  const { control, clock, log, onJob = () => {}, lease_ms = LEASE_MS, random = Math.random } = context
  const ctx: LeaseContext = { control, clock, lease_ms }
  const mine = jobs
    .filter((job) => !(context.is_clock_simulated && job.rests_under_simulated_clock))
    .map((job) => ({ limit_ms: LIMIT_MS, ...job }))
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()
  let is_away = false
  let is_apart = false
  /** Of jobs that each node runs by itself: when they are due again, of the monotonic clock. */
  const due_here = new Map<string, number>()
  const isOfNode = (job: Job) => context.is_node === true && job.is_of_process === true

  const end = async (lease: Lease, outcome: RunOutcome) => {
    const written = await endLease(ctx, lease, outcome).catch((error: unknown) => {
      log.error(
        { err: error, job: lease.name },
        'the end of a job could not be written; it runs again when its lease has expired',
      )
      return true
    })
    if (!written) log.warn({ job: lease.name }, 'a job had been taken over by another run before it ended')
  }

  const run = async (job: (typeof mine)[number]) => {
    const lease = await takeLease(ctx, job)
    if (lease === null) return
    const started = clock.elapsed()
    const report = (failed: boolean, more: Pick<JobEnded, 'days'> = {}) =>
      onJob({ job: job.name, seconds: (clock.elapsed() - started) / 1_000, failed, ...more })
    try {
      const result = await runOnce(ctx, job, lease, stopping.signal)
      await end(lease, { how: 'succeeded' })
      const days = job.days !== undefined && typeof result === 'number' ? result : 0
      if (days > 0) log.info({ days }, job.days?.message)
      report(false, job.days?.are_derived === true ? { days } : {})
    } catch (error) {
      if (stopping.signal.aborted) return await end(lease, { how: 'stopped' })
      const again_in_ms = pauseAfter(lease.attempts + 1, job.every_ms, random)
      log.warn({ job: job.name, attempts: lease.attempts + 1, again_in_ms, ...reasonOf(error) }, 'a job failed')
      if (!(error instanceof LeaseLost))
        await end(lease, { how: 'failed', error: String(messageOf(error)), again_in_ms })
      report(true)
    }
  }

  const runHere = async (job: (typeof mine)[number]) => {
    const started = clock.elapsed()
    due_here.set(job.name, started + job.every_ms)
    let failed = false
    try {
      await job.run(AbortSignal.any([stopping.signal, AbortSignal.timeout(job.limit_ms)]), { check: async () => {} })
    } catch (error) {
      failed = true
      if (!stopping.signal.aborted) log.warn({ job: job.name, ...reasonOf(error) }, 'a job failed')
    }
    onJob({ job: job.name, seconds: (clock.elapsed() - started) / 1_000, failed })
  }

  const begin = (job: (typeof mine)[number]) => {
    const run_now = (isOfNode(job) ? runHere(job) : run(job)).catch((error: unknown) =>
      log.warn({ err: error, job: job.name }, 'a job could not be begun'),
    )
    running.set(
      job.name,
      run_now.finally(() => running.delete(job.name)),
    )
  }

  /** Many jobs delete or report by the time of day. */
  const isClockApart = () => {
    const was_apart = is_apart
    is_apart = context.isClockApart?.() === true
    if (is_apart && !was_apart) log.warn('no job starts: the clock of this node is too far from the database’s')
    return is_apart
  }
  const look = async () => {
    if (isClockApart()) return
    const rows = new Map((await control.db.selectFrom('jobs').selectAll().execute()).map((row) => [row.name, row]))
    for (const job of mine) {
      if (isOfNode(job)) {
        const due_at = due_here.get(job.name) ?? Number.NEGATIVE_INFINITY
        if (!running.has(job.name) && !stopping.signal.aborted && due_at <= clock.elapsed()) begin(job)
        continue
      }
      const row = rows.get(job.name)
      if (row === undefined) await ensureJob(ctx, job)
      if (stopping.signal.aborted) return
      if (!running.has(job.name) && (row === undefined || isDue(row, job, clock.shared(), lease_ms))) begin(job)
    }
  }
  const lookAgain = () => {
    clearTimeout(timer)
    looking = looking.then(async () => {
      if (stopping.signal.aborted) return
      await look().then(
        () => {
          is_away = false
        },
        (error: unknown) => {
          // Said once: it is asked again every few seconds.
          if (!is_away && !stopping.signal.aborted)
            log.warn({ err: error }, 'the control store does not say which jobs are due')
          is_away = true
        },
      )
      clearTimeout(timer)
      if (!stopping.signal.aborted) timer = setTimeout(lookAgain, context.look_every_ms ?? LOOK_EVERY_MS)
    })
    return looking
  }
  // Of a folder's jobs the last process is gone for certain, but not where other nodes run them too.
  looking = freeJobs(
    ctx,
    mine.filter((job) => job.is_of_folder && context.is_node !== true).map((job) => job.name),
  ).catch((error: unknown) => log.warn({ err: error }, 'jobs of an earlier process could not be taken over'))
  lookAgain()
  // What each node runs by itself has no row that would say how it does.
  const names = mine.filter((job) => !isOfNode(job)).map((job) => job.name)
  const lookFor = (name: string) => {
    due_here.delete(name)
    return lookAgain()
  }
  const stopServing = context.requests?.serve(names, lookFor)
  return {
    jobs: names,
    async nudge(name) {
      if (name !== undefined) await makeDue(ctx, name)
      await (name === undefined ? lookAgain() : lookFor(name))
    },
    async stop() {
      stopServing?.()
      stopping.abort(new Error('The service stops.'))
      clearTimeout(timer)
      await looking
      await Promise.all(running.values())
    },
  }
}

/** Exponential backoff with full jitter, never longer than the job's own period. */
export function pauseAfter(attempts: number, every_ms: number, random: () => number): number {
  const longest = Math.min(every_ms, FIRST_PAUSE_MS * 2 ** Math.min(attempts - 1, MAX_DOUBLINGS))
  return Math.max(MIN_PAUSE_MS, Math.round(random() * longest))
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : error)

/** A refusal is written down by its kind: its words may name a host, which no log holds (rules 7). */
function reasonOf(error: unknown): object {
  if (error instanceof OutgoingRefusal) return { reason: error.kind, code: error.code }
  return error instanceof Refusal ? { reason: error.kind } : { err: error }
}
