/**
 * Jobs on the embedded evidence of the data folder and on the memory of this process. A start releases their leases,
 * because the lock of the folder proves that the previous process has ended.
 */
import type { KeyUses } from '#accounts/key-uses.ts'
import { eraseRemovedAnswers } from '#brands/answers/erase-answers.ts'
import { evaluateAllMentions } from '#brands/answers/evaluate-mentions.ts'
import { followFixes } from '#brands/fixes/follow-fixes.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#clock.ts'
import type { CrawlerContext, SiteContext } from '#crawlers/context.ts'
import { countOpenDays, type ReadInAdvance } from '#crawlers/count-open-days.ts'
import { rebuildDirtyDays } from '#crawlers/roll-ups/rebuild-roll-ups.ts'
import { deleteRetired } from '#derived/delete-retired-builds.ts'
import { clearAfterImports } from '#intake/import/recover-broken-deliveries.ts'
import { enforceRetention } from '#retention/enforce-crawler-retention.ts'
import { enforceVisitorRetention } from '#retention/enforce-visitor-retention.ts'
import { whileClockTrusted } from '#retention/trusted-clock.ts'
import { isGateOpen } from '#sites/gates.ts'
import { deleteOldSalts } from '#tracker/collection/visitor-salts.ts'
import type { TrackerContext } from '#tracker/context.ts'
import { gateOf } from '#tracker/coverage/readers.ts'
import { deriveDefinitions } from '#tracker/definitions/derive-definitions.ts'
import { readAnalyticsPages } from '#tracker/pages.ts'
import { deriveDays } from '#tracker/sessions/derive-sessions.ts'
import { takeSnapshots } from '#tracker/sessions/session-snapshots.ts'
import { deriveSettled } from '#tracker/sessions/settled-sessions.ts'
import { eraseRemovedSites } from './erase-removed-sites.ts'
import type { Job } from './job.ts'
import { purgeDeleted } from './purge-deleted.ts'
import { retirables } from './retirables.ts'

/** Rebuilds roll-ups of crawlers; due at once after evidence is stored. */
export const REBUILD = 'rebuild'
/** Due at once after a site is removed. */
export const ERASE_SITES = 'erase_sites'

export type FolderJobsContext = CrawlerContext & Pick<TrackerContext, 'collection'> & { key_uses: KeyUses }

/** Short enough that evidence of the open day is derived within two minutes. */
const REBUILD_EVERY_MS = MINUTE_MS / 2

/** Short, because answers read the facts since the last run, which updates recently used counts. */
const COUNT_EVERY_MS = MINUTE_MS / 4

/** Much shorter than the time for which answers may use a snapshot. */
const SNAPSHOT_EVERY_MS = MINUTE_MS / 12

/**
 * Counts crawler requests for the answer about visitors' pages in advance, unless the site's owner has switched that
 * answer off.
 */
export const visitorReadsInAdvance = (
  site: SiteContext,
  { collection }: Pick<TrackerContext, 'collection'>,
): ReadInAdvance[] => [
  async () => {
    if (!(await isGateOpen(site.control.db, site.site.id, gateOf('pages')))) return
    await readAnalyticsPages({ ...site, collection }, { window: '30d', limit: 50 })
  },
]

/** Jobs on the evidence and the memory of the process that holds the data folder. */
export const folderJobs = (ctx: FolderJobsContext): Job[] => [
  each({ name: 'clear_imports', runs_on_each_node: true, run: () => clearAfterImports(ctx) }),
  each({
    name: REBUILD,
    every_ms: REBUILD_EVERY_MS,
    days: { message: 'roll-ups rebuilt', are_derived: true },
    run: (signal) => rebuildDirtyDays(ctx, () => signal.aborted, { open_day: 'each_minute' }),
  }),
  each({
    name: 'count_open_days',
    every_ms: COUNT_EVERY_MS,
    runs_on_each_node: true,
    run: (signal) => countOpenDays(ctx, () => signal.aborted, { also: (site) => visitorReadsInAdvance(site, ctx) }),
  }),
  each({
    name: 'derive_sessions',
    days: { message: 'sessions of closed days derived', are_derived: true },
    run: (signal) => deriveDays(ctx, () => signal.aborted),
  }),
  each({ name: 'settle_sessions', runs_on_each_node: true, run: (signal) => deriveSettled(ctx, () => signal.aborted) }),
  each({
    name: 'snapshot_sessions',
    every_ms: SNAPSHOT_EVERY_MS,
    // It leaves builds behind, which only `clear_builds` deletes.
    rests_under_simulated_clock: true,
    runs_on_each_node: true,
    run: (signal) => takeSnapshots(ctx, () => signal.aborted),
  }),
  each({
    name: 'derive_definitions',
    days: { message: 'conversions and funnels of closed days counted', are_derived: true },
    run: (signal) => deriveDefinitions(ctx, () => signal.aborted),
  }),
  each({ name: ERASE_SITES, run: () => eraseRemovedSites(ctx) }),
  each({ name: 'erase_answers', every_ms: HOUR_MS, run: () => eraseRemovedAnswers(ctx) }),
  each({ name: 'follow_fixes', every_ms: 10 * MINUTE_MS, run: (signal) => followFixes(ctx, signal) }),
  each({ name: 'evaluate_mentions', run: (signal) => evaluateAllMentions(ctx, signal) }),
  each({ name: 'purge_deleted', run: () => purgeDeleted(ctx) }),
  each({ name: 'note_key_uses', runs_on_each_node: true, run: () => ctx.key_uses.flush() }),
  each({
    name: 'clear_builds',
    // A delete visits every part of its tables, however little it deletes.
    every_ms: 10 * MINUTE_MS,
    rests_under_simulated_clock: true,
    run: () => deleteRetired(ctx, retirables(ctx)),
  }),
  each({
    name: 'end_tracker_retention',
    rests_under_simulated_clock: true,
    days: { message: 'days of visitors reached their retention and are gaps now', are_derived: false },
    run: () => whileClockTrusted(ctx, () => enforceVisitorRetention(ctx)),
  }),
  each({ name: 'delete_salts', rests_under_simulated_clock: true, run: () => deleteOldSalts(ctx) }),
  each({
    name: 'end_retention',
    rests_under_simulated_clock: true,
    days: { message: 'days reached their retention and are gaps now', are_derived: false },
    run: () => whileClockTrusted(ctx, () => enforceRetention(ctx)),
  }),
]

/** The limit of a run is a day, because it works in pieces and can stop between two of them. */
const each = (job: Partial<Job> & Pick<Job, 'name' | 'run'>): Job => ({
  every_ms: MINUTE_MS,
  limit_ms: DAY_MS,
  rests_under_simulated_clock: false,
  belongs_to_folder: true,
  ...job,
})
