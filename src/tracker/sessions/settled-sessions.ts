/**
 * On an open day with many events, sessions that can no longer grow (settled sessions) are derived before the day ends
 * (ADR 21). Answers sum them like those of closed days, and gather only the visitors of the last half hour. Only this
 * process knows their builds. Other processes see retired builds, and delete them when this process stops renewing
 * them.
 */
import { MINUTE_MS } from '#clock.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { inBuildsOfDays } from '#derived/builds.sql.ts'
import { MAX_UNRENEWED_MS } from '#derived/builds.ts'
import { piecesBefore } from '#derived/pieces.ts'
import { type SettledDay, settledThrough } from '#derived/settled-day.ts'
import type { TrackerContext } from '../context.ts'
import { SESSION_SILENCE_MS, type TrackerScope } from '../scope.ts'
import {
  beginBuilds,
  deriveEach,
  eventCountOf,
  fingerprintEvents,
  hasSameEvents,
  isRenewed,
  OPEN_DAY_MEMORY_MB,
  OPEN_DAY_PART,
  type OpenDayContext,
} from './open-day-builds.ts'
import { insertBuild } from './session-sums.sql.ts'
import { longSessions } from './settled-sessions.sql.ts'

/** Days with fewer events are read from facts, which is as fast. */
const MIN_EVENTS = 50_000
/** The same for sites that get many requests for answers, because all of them share a snapshot (ADR 52). */
const MIN_EVENTS_ASKED = 10_000
/** Events that were received longer ago are stored, and are before the cutoff of answers on every node. */
const STORED_MS = MINUTE_MS
/** When the last build is this old, the sessions that have settled since become another build. */
const BUILD_MS = 2 * MINUTE_MS
/** Builds are renewed when they were last renewed so long ago. */
const RENEW_MS = MINUTE_MS
const BEFORE_ALL = 0

/**
 * Derives today's settled sessions of sites with many events. `stop` is called between two sites.
 * @throws AggregateError: the sessions of some sites could not be derived.
 */
export async function deriveSettled(
  ctx: OpenDayContext,
  stop: () => boolean = () => false,
  { min_events = MIN_EVENTS }: { min_events?: number } = {},
): Promise<void> {
  const { settled } = ctx.derived
  const readable = ctx.collection.readableThrough()
  const day = utcDay(readable)
  const busy = await findBusySites(ctx, day, min_events)
  for (const kept of [...settled.values()])
    if (kept.day !== day || !busy.includes(kept.site_id)) replace(ctx, kept, null)
  await deriveEach(busy, stop, async (site_id) => {
    await renewSettled(ctx)
    await settle(ctx, { site_id, day, to: readable - STORED_MS })
  })
}

/**
 * Renews the builds of all sites that are due. Call it before each site's turn: under load the turns of many sites take
 * longer than builds may be used without being renewed (`MAX_UNRENEWED_MS`), and deriving them again is slower still.
 */
export async function renewSettled(ctx: OpenDayContext): Promise<void> {
  for (const kept of [...ctx.derived.settled.values()])
    if (ctx.clock.shared() - kept.renewed_at >= RENEW_MS) await renew(ctx, kept)
}

async function findBusySites(
  { control, clock, derived }: OpenDayContext,
  day: string,
  min_events: number,
): Promise<string[]> {
  const rows = await control.db
    .selectFrom('collection_counts')
    .innerJoin('sites', 'sites.id', 'collection_counts.site_id')
    .select(['collection_counts.site_id', 'events'])
    .where((is) => is.and({ day, outcome: 'accepted' }))
    .execute()
  const sites = Map.groupBy(rows, ({ site_id }) => site_id)
  const eventsOf = (of: typeof rows) => of.reduce((sum, { events }) => sum + events, 0)
  const now = clock.now()
  const minOf = (site_id: string) =>
    derived.snapshots.isRequestedOften(site_id, now) ? Math.min(MIN_EVENTS_ASKED, min_events) : min_events
  return [...sites].filter(([site_id, of]) => eventsOf(of) >= minOf(site_id)).map(([site_id]) => site_id)
}

interface Settled {
  site_id: string
  day: string
  /** Epoch milliseconds: sessions that have settled by this instant. */
  to: number
}

async function settle(ctx: OpenDayContext, of: Settled): Promise<void> {
  const { site_id, day, to } = of
  const found = ctx.derived.settled.get(site_id)
  if (
    found !== undefined &&
    to >= settledThrough(found) &&
    to - settledThrough(found) < BUILD_MS &&
    (await isSettledDayCurrent(ctx, found))
  )
    return renew(ctx, found)
  // Read before the kept builds are compared, so that one of the two checks notices facts stored in between.
  const facts = await fingerprintEvents(ctx, of, to)
  const kept =
    found !== undefined && to >= settledThrough(found) && (await isSettledDayCurrent(ctx, found)) ? found : undefined
  if (found !== undefined && kept === undefined) replace(ctx, found, null)
  const before = piecesBefore(kept?.builds ?? [], dayStart(day), to)
  const begun_at = ctx.clock.shared()
  const [build] = (await beginBuilds(ctx, of, 1)) as [number]
  ctx.derived.building.add(build)
  try {
    const last = before.at(-1)
    const settling = { day, after: last === undefined ? BEFORE_ALL : last.to, by: to }
    // Later events begin sessions of their own. If earlier events change, the build is not used. So a lower number of
    // rows means lost rows.
    const row_count_check = { where: inBuildsOfDays([{ site_id, day, build }]), may_grow: false }
    for (const insert of insertBuild({ site_id, day, build, settling }))
      await ctx.evidence.run(insert, { max_memory_mb: OPEN_DAY_MEMORY_MB, is_concurrent: true, row_count_check })
    const builds = [...before, { build, to }]
    const open = await findOpen(ctx, of, { builds: builds.map((each) => each.build), events: eventCountOf(facts) })
    // Otherwise events were stored or deleted meanwhile, or the derivation took so long that the build may be deleted.
    if ((await fingerprintEvents(ctx, of, to)) === facts && isRenewed(ctx, begun_at)) {
      const settled = { site_id, day, facts, builds, ...open, renewed_at: ctx.clock.shared() }
      replace(ctx, kept, settled)
      await renew(ctx, settled)
    }
  } finally {
    if (!ctx.derived.settled.get(site_id)?.builds.some((kept) => kept.build === build))
      ctx.derived.building.delete(build)
  }
}

/** Whether the builds certainly still exist, and their events are unchanged. */
export const isSettledDayCurrent = async (ctx: OpenDayContext, kept: SettledDay): Promise<boolean> =>
  isRenewed(ctx, kept.renewed_at) && (await fingerprintEvents(ctx, kept, settledThrough(kept))) === kept.facts

/** About the sessions that have not settled: all their events were received at `open_from` or later. */
async function findOpen(
  { evidence }: OpenDayContext,
  { site_id, day, to }: Settled,
  { builds, events }: { builds: readonly number[]; events: number },
): Promise<Pick<SettledDay, 'open_from' | 'has_most_events'>> {
  const earliest = to - SESSION_SILENCE_MS
  const [found] = await evidence.all(longSessions({ site_id, day, by: to, builds }))
  if (found === undefined) return { open_from: earliest, has_most_events: false }
  const { first_ms, settled_events } = found
  return {
    open_from: first_ms === 0 ? earliest : Math.min(earliest, first_ms),
    has_most_events: settled_events > events - settled_events,
  }
}

/** Marks the builds as in use for other processes. If it is too late for that, this process stops using them. */
async function renew(ctx: OpenDayContext, kept: SettledDay): Promise<void> {
  const now = ctx.clock.shared()
  const builds = kept.builds.map(({ build }) => build)
  const { numUpdatedRows } = await ctx.control.db
    .updateTable('retired_builds')
    .set({ retired_at: now })
    .where((is) => is.and([is.and({ kind: 'sessions', part: OPEN_DAY_PART }), is('build', 'in', builds)]))
    .where('retired_at', '>=', now - MAX_UNRENEWED_MS)
    .executeTakeFirst()
  // Renewed or replaced meanwhile by another job.
  if (ctx.derived.settled.get(kept.site_id) !== kept) return
  if (Number(numUpdatedRows) < builds.length) replace(ctx, kept, null)
  else ctx.derived.settled.set(kept.site_id, { ...kept, renewed_at: now })
}

/** Replaces the builds of a site. Replaced builds are not renewed any more; the clean-up deletes them minutes later. */
function replace({ derived }: OpenDayContext, kept: SettledDay | undefined, by: SettledDay | null): void {
  if (kept !== undefined) derived.settled.delete(kept.site_id)
  if (by !== null) derived.settled.set(by.site_id, by)
  const used = new Set(by?.builds.map(({ build }) => build))
  for (const { build } of kept?.builds ?? []) if (!used.has(build)) derived.building.delete(build)
}

/**
 * The scope with the settled builds of its open day, if the events are unchanged, which is checked at most once a
 * second. Answers that include development events read all events instead.
 */
export async function withSettled(
  ctx: Pick<TrackerContext, 'clock' | 'derived' | 'evidence'>,
  scope: TrackerScope,
): Promise<TrackerScope> {
  const kept = ctx.derived.settled.get(scope.site_id)
  if (kept?.has_most_events !== true || scope.with_development === true) return scope
  const { day } = kept
  const builds = kept.builds.map(({ build }) => build)
  const through = settledThrough(kept)
  if (!scope.fact_days.includes(day) || through > scope.cutoff || !isRenewed(ctx, kept.renewed_at)) return scope
  if (!(await hasSameEvents(ctx, kept, through))) return scope
  return {
    ...scope,
    builds: [...scope.builds, ...builds.map((build) => ({ day, build }))],
    settling: { day, after: through, by: null, known: { from: kept.open_from, builds } },
  }
}
