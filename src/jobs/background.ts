/**
 * What a running service does with what is its own: roll-ups, clearing away, noting key uses. One piece of work at a time. Nothing
 * here is leased: the folder's lock says already who holds the evidence, and key uses wait in the memory of each process.
 */
import type { Logger } from 'pino'
import type { KeyUses } from '#accounts/key-uses.ts'
import { MINUTE_MS } from '#clock.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { rebuildDirtyDays } from '#crawlers/roll-ups/rebuild.ts'
import { deleteRetired } from '#derived/clean-up.ts'
import { clearAfterImports } from '#intake/import/recover.ts'
import { endRetention } from '#retention/enforce-crawler-retention.ts'
import { endTrackerRetention } from '#retention/enforce-visitor-retention.ts'
import { deleteOldSalts } from '#tracker/collection/salts.ts'
import type { TrackerContext } from '#tracker/context.ts'
import { deriveDefinitions } from '#tracker/definitions/derive-definitions.ts'
import { deriveDays } from '#tracker/sessions/derive.ts'
import { eraseRemovedSites } from './erase-removed-sites.ts'
import type { JobEnded } from './job.ts'
import { purgeDeleted } from './purge-deleted.ts'
import { retirables } from './retirables.ts'

export interface Background {
  /** Does the next round at once, for example because days have become dirty. */
  nudge(): void
  /** Resolves when the work under way has reached a safe point and nothing more will start. */
  stop(): Promise<void>
}

type LocalJob =
  | 'delete_salts'
  | 'clear_imports'
  | 'rebuild'
  | 'derive_sessions'
  | 'derive_definitions'
  | 'note_key_uses'
  | 'erase_sites'
  | 'clear_builds'
  | 'end_retention'
  | 'end_tracker_retention'
  | 'purge_deleted'

const PAUSE_MS = MINUTE_MS

/** Days of visitors are derived when nothing of them waits any more. */
export type BackgroundContext = CrawlerContext & Pick<TrackerContext, 'collection'>

export interface BackgroundOptions {
  /** The service clock is not the machine's (`--clock`): nothing is deleted by its age (rules 4). */
  is_clock_simulated: boolean
}

/** Starts the rounds; a round that fails is logged and the next one tries again. */
export function startBackground(
  ctx: BackgroundContext,
  uses: KeyUses,
  log: Logger,
  onJob: (ended: JobEnded) => void = () => {},
  { is_clock_simulated }: BackgroundOptions = { is_clock_simulated: false },
): Background {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let asked = false
  let running: Promise<void> = Promise.resolve()

  const told = async <T>(job: LocalJob, work: () => Promise<T>, days?: (result: T) => number): Promise<T> => {
    const started = ctx.clock.elapsed()
    const tell = (failed: boolean, more: { days?: number } = {}) =>
      onJob({ job, seconds: (ctx.clock.elapsed() - started) / 1_000, failed, ...more })
    try {
      const result = await work()
      tell(false, days === undefined ? {} : { days: days(result) })
      return result
    } catch (error) {
      // What a stop breaks off has not failed.
      if (!stopped) tell(true)
      throw error
    }
  }

  const round = async () => {
    do {
      asked = false
      const rebuild = () => rebuildDirtyDays(ctx, () => stopped, { open_day: 'each_minute' })
      const rebuilt = await told('rebuild', rebuild, (days) => days)
      if (rebuilt > 0) log.info({ days: rebuilt }, 'roll-ups rebuilt')
    } while (asked && !stopped)
  }
  const derive = async () => {
    const derived = await told(
      'derive_sessions',
      () => deriveDays(ctx, () => stopped),
      (days) => days,
    )
    if (derived > 0) log.info({ days: derived }, 'sessions of closed days derived')
  }
  const deriveDefined = async () => {
    const derived = await told(
      'derive_definitions',
      () => deriveDefinitions(ctx, () => stopped),
      (days) => days,
    )
    if (derived > 0) log.info({ days: derived }, 'conversions and funnels of closed days counted')
  }
  /** What is deleted because of its age; nothing else depends on it. */
  const by_age: readonly (() => Promise<unknown>)[] = [
    () => told('clear_builds', () => deleteRetired(ctx, retirables(ctx))),
    async () => {
      const ended = await told('end_tracker_retention', () => endTrackerRetention(ctx))
      if (ended > 0) log.info({ days: ended }, 'days of visitors outlived their retention and are gaps now')
    },
    () => told('delete_salts', () => deleteOldSalts(ctx)),
    async () => {
      const ended = await told('end_retention', () => endRetention(ctx))
      if (ended > 0) log.info({ days: ended }, 'days outlived their retention and are gaps now')
    },
  ]
  /** Each job on its own: one that fails must not keep the others from their turn. */
  const jobs: readonly (() => Promise<unknown>)[] = [
    () => told('clear_imports', () => clearAfterImports(ctx)),
    round,
    derive,
    deriveDefined,
    () => told('erase_sites', () => eraseRemovedSites(ctx)),
    () => told('purge_deleted', () => purgeDeleted(ctx)),
    () => told('note_key_uses', () => uses.flush()),
    ...(is_clock_simulated ? [] : by_age),
  ]
  const runJobs = async () => {
    for (const job of jobs) {
      if (stopped) return
      await job().catch((error: unknown) => {
        // The closing store breaks off work that outlasts a stop; the next start does it again.
        if (!stopped) log.error({ err: error }, 'background work failed; it is tried again in a minute')
      })
    }
  }
  const start = () => {
    if (stopped) return
    clearTimeout(timer)
    running = running.then(runJobs).then(() => {
      clearTimeout(timer)
      if (!stopped) timer = setTimeout(start, PAUSE_MS)
    })
  }
  start()
  return {
    nudge() {
      asked = true
      start()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
