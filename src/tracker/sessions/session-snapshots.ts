/**
 * On an open day with many events, each answer gathers the visitors of the last half hour again. While a site gets many
 * requests for answers, Spoor derives these sessions every few seconds instead, for all answers of the site. The
 * answers are as of the instant of that snapshot, and publish it as `data_through` (ADR 52). A collector records only
 * every 30 s that it is up (rules 6); an answer is older than that only if a snapshot takes long (`maxAgeMs`).
 */
import { writeBestEffort } from '#control/best-effort-write.ts'
import { utcDay } from '#days/utc-day.ts'
import { inBuildsOfDays } from '#derived/builds.sql.ts'
import type { SessionSnapshot } from '#derived/session-snapshots.ts'
import { type SettledDay, settledThrough } from '#derived/settled-day.ts'
import type { Settling, TrackerScope } from '../scope.ts'
import {
  beginBuilds,
  type DayOfSite,
  deriveEach,
  fingerprintEvents,
  hasSameEvents,
  isRenewed,
  OPEN_DAY_MEMORY_MB,
  type OpenDayContext,
} from './open-day-builds.ts'
import { insertBuild } from './session-sums.sql.ts'
import { isSettledDayCurrent, renewSettled } from './settled-sessions.ts'

/** The next snapshot is taken after 20 times the duration of the last one, within bounds, to limit the load. */
const FRESH_MS = { least: 9_000, most: 90_000, times: 20 }
/** Every snapshot may be used up to this age. */
const AGE_MS = 30_000
const BEFORE_ALL = 0

/**
 * Answers do not use older snapshots, and are counted from facts. Where a snapshot takes long, each such answer does
 * too; so many of them would leave ClickHouse no time for the next snapshot. The bound is therefore higher there.
 */
const maxAgeMs = ({ fresh_ms }: Pick<SessionSnapshot, 'fresh_ms'>): number => Math.max(AGE_MS, 2 * fresh_ms)

/**
 * Takes snapshots of busy sites that get many requests for answers. `stop` is called between two sites.
 * @throws AggregateError: some snapshots could not be taken.
 */
export async function takeSnapshots(ctx: OpenDayContext, stop: () => boolean = () => false): Promise<void> {
  const { settled, snapshots } = ctx.derived
  snapshots.dropOldRequests(ctx.clock.now())
  for (const known of snapshots.all())
    if (!isUsable(ctx, known) && !snapshots.isRequestedOften(known.site_id, ctx.clock.now())) drop(ctx, known)
  const sites = new Set([...settled.values(), ...snapshots.all()].map(({ site_id }) => site_id))
  await deriveEach([...sites], stop, async (site_id) => {
    await renewSettled(ctx)
    const now = ctx.clock.now()
    const known = snapshots.get(site_id)
    const isDue = known === undefined || !isYoung(known, now, known.fresh_ms)
    if (isDue && snapshots.isRequestedOften(site_id, now)) await takeOnce(ctx, { site_id, day: utcDay(now) })
  })
}

/** Concurrent calls for a site share one snapshot. */
const takeOnce = (ctx: OpenDayContext, of: DayOfSite): Promise<void> =>
  ctx.derived.answers.share(`snapshot of ${of.site_id}`, () => take(ctx, of))

const isYoung = ({ at }: Pick<SessionSnapshot, 'at'>, now: number, max_age_ms: number): boolean =>
  at <= now && now - at <= max_age_ms

async function take(ctx: OpenDayContext, { site_id, day }: DayOfSite): Promise<void> {
  // Smaller days are read from facts, which is as fast.
  const { settled: days, snapshots } = ctx.derived
  if (days.get(site_id)?.day !== day && snapshots.get(site_id)?.day !== day) return
  const at = ctx.collection.readableThrough()
  // Accepted events become readable so late that no answer could use a snapshot of this instant.
  if (utcDay(at) !== day || !isYoung({ at }, ctx.clock.now(), AGE_MS)) return
  const begun = ctx.clock.elapsed()
  // Read before the settled builds are compared, so that one of the two checks notices facts stored in between.
  const facts = await fingerprintEvents(ctx, { site_id, day }, at + 1)
  const settled = await findSettled(ctx, { site_id, day }, at)
  const renewed_at = Math.min(ctx.clock.shared(), settled?.renewed_at ?? Number.POSITIVE_INFINITY)
  const [ended, growing] = (await beginBuilds(ctx, { site_id, day }, 2)) as [number, number]
  const last = await findLast(ctx, { site_id, day, at, after: afterOf(settled) })
  const { settling, ...base } = baseOf(day, settled, last)
  const copied = last === null ? {} : { copied: [last.ended, last.growing] }
  const snapshot = { site_id, day, at, facts, ...base, ended, growing, renewed_at }
  hold(ctx, snapshot)
  try {
    // The snapshot is used only if the events up to `at` stay the same, so a lower number of rows means lost rows.
    const row_count_check = {
      where: inBuildsOfDays([ended, growing].map((build) => ({ site_id, day, build }))),
      may_grow: false,
    }
    const of = { site_id, day, build: ended, growing: { cutoff: at, build: growing, ...copied }, settling }
    for (const insert of insertBuild(of))
      await ctx.evidence.run(insert, { max_memory_mb: OPEN_DAY_MEMORY_MB, is_concurrent: true, row_count_check })
    // A different fingerprint: events were stored or deleted meanwhile.
    const is_same = (await fingerprintEvents(ctx, snapshot, at + 1)) === facts
    if (!is_same || !isRenewed(ctx, renewed_at) || (last !== null && !isRenewed(ctx, last.renewed_at))) return
    const before = snapshots.get(site_id)
    snapshots.set({ ...snapshot, fresh_ms: freshMs(ctx.clock.elapsed() - begun) })
    if (before !== undefined) release(ctx, before)
  } finally {
    if (snapshots.get(site_id)?.ended !== ended) release(ctx, snapshot)
  }
}

/**
 * The settled sessions that a snapshot as of `at` is added to. Null if their builds may not be used, or if few sessions
 * have settled: then the snapshot has the whole day, which costs as much as a few answers from facts.
 */
async function findSettled(ctx: OpenDayContext, { site_id, day }: DayOfSite, at: number): Promise<SettledDay | null> {
  const settled = ctx.derived.settled.get(site_id)
  if (settled?.has_most_events !== true || settled.day !== day || settledThrough(settled) > at) return null
  return (await isSettledDayCurrent(ctx, settled)) ? settled : null
}

/**
 * The last snapshot of a day, if the next one may copy its sessions: it has all that settle later than `after`, and its
 * events are unchanged.
 */
async function findLast(
  ctx: OpenDayContext,
  { site_id, day, at, after }: Pick<SessionSnapshot, 'site_id' | 'day' | 'at' | 'after'>,
): Promise<SessionSnapshot | null> {
  const last = ctx.derived.snapshots.get(site_id)
  if (last === undefined || last.day !== day || last.at > at) return null
  if (last.after > after || !isRenewed(ctx, last.renewed_at)) return null
  return (await fingerprintEvents(ctx, last, last.at + 1)) === last.facts ? last : null
}

/** Sessions that settle later than this are derived or copied. */
const afterOf = (settled: SettledDay | null): number => (settled === null ? BEFORE_ALL : settledThrough(settled))

interface Base extends Pick<SessionSnapshot, 'settled' | 'after'> {
  /** The sessions that are derived from facts; undefined if all are. */
  settling: Settling | undefined
}

/** What a snapshot is added to, and what it derives: sessions that have not settled and that it cannot copy. */
function baseOf(day: string, settled: SettledDay | null, last: SessionSnapshot | null): Base {
  const after = afterOf(settled)
  const builds = settled === null ? [] : settled.builds.map(({ build }) => build)
  if (settled === null && last === null) return { settled: builds, after, settling: undefined }
  const known = settled === null ? {} : { known: { from: settled.open_from, builds } }
  const active = last === null ? {} : { active_after: last.at }
  return { settled: builds, after, settling: { day, after, by: null, ...known, ...active } }
}

const freshMs = (took_ms: number): number => Math.min(FRESH_MS.most, Math.max(FRESH_MS.least, FRESH_MS.times * took_ms))

/** The builds of a snapshot. */
type Taken = Pick<SessionSnapshot, 'ended' | 'growing'>

function hold({ derived }: OpenDayContext, { ended, growing }: Taken): void {
  derived.building.add(ended).add(growing)
}

/** The clean-up deletes released builds minutes later. */
function release({ derived }: OpenDayContext, { ended, growing }: Taken): void {
  derived.building.delete(ended)
  derived.building.delete(growing)
}

function drop(ctx: OpenDayContext, snapshot: SessionSnapshot): void {
  ctx.derived.snapshots.delete(snapshot.site_id)
  release(ctx, snapshot)
}

/**
 * The snapshot that an answer about the site may use, or null. Records the request, so that snapshots are taken. If the
 * last one is too old, because the job has not come to this site in time, the answer takes the next one: that costs as
 * much as the answer from facts, and serves the other answers too. While the stores take no writes there is none.
 */
export async function findSnapshot(ctx: OpenDayContext, site_id: string): Promise<SessionSnapshot | null> {
  const { snapshots } = ctx.derived
  const now = ctx.clock.now()
  snapshots.note(site_id, now)
  const last = snapshots.get(site_id)
  if (last === undefined) return null
  if (!isUsable(ctx, last) && snapshots.isRequestedOften(site_id, now))
    await writeBestEffort(takeOnce(ctx, { site_id, day: utcDay(now) }))
  const known = snapshots.get(site_id)
  if (known === undefined || !isUsable(ctx, known)) return null
  return (await hasSameEvents(ctx, known, known.at + 1)) ? known : null
}

function isUsable(ctx: OpenDayContext, known: SessionSnapshot): boolean {
  const now = ctx.clock.now()
  return isYoung(known, now, maxAgeMs(known)) && utcDay(now) === known.day && isRenewed(ctx, known.renewed_at)
}

/** The scope with the snapshot instead of the facts of its day; null if the scope ends at another instant. */
export function withSnapshot(scope: TrackerScope, snapshot: SessionSnapshot): TrackerScope | null {
  const { day, at, settled, ended, growing } = snapshot
  if (scope.cutoff !== at || !scope.fact_days.includes(day)) return null
  return {
    ...scope,
    builds: [...scope.builds, ...[...settled, ended, growing].map((build) => ({ day, build }))],
    fact_days: scope.fact_days.filter((each) => each !== day),
    snapshot: { day, ended, growing },
  }
}
