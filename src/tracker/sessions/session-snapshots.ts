/**
 * Where the open day has many events, each answer gathers the visitors of the last half hour anew. While a site's
 * answers are asked for again and again, these sessions are derived once in some seconds instead, for all answers:
 * those are given as of that instant, and say so (`data_through`, ADR 52). A collector marks only every 30 s that it is
 * up (rules 6); an answer is as of longer ago only where a snapshot takes long (`maxAgeMs`).
 */
import { utcDay } from '#days/utc-day.ts'
import { areOfBuilds } from '#derived/builds.sql.ts'
import type { SessionSnapshot } from '#derived/session-snapshots.ts'
import { endOf, type SettledDay } from '#derived/settled-day.ts'
import type { TrackerContext } from '../context.ts'
import type { TrackerScope } from '../scope.ts'
import {
  beginBuilds,
  deriveEach,
  haveStayed,
  isRenewed,
  nameEvents,
  OPEN_DAY_MEMORY_MB,
  type OpenDayContext,
} from './open-day-builds.ts'
import { insertBuild } from './session-sums.sql.ts'
import { isStillSo } from './settled-sessions.ts'

/** A younger snapshot is not taken again, nor one for twenty times as long as it took: the engine has other work. */
const FRESH_MS = { least: 9_000, most: 90_000, times: 20 }
/** Every answer may be given by a snapshot of this age. */
const AGE_MS = 30_000

/**
 * Answers of a site whose snapshot is older are counted from facts, milliseconds. Where a snapshot takes long, each of
 * these answers does so too: together they would leave the engine no time for the next snapshot.
 */
const maxAgeMs = ({ fresh_ms }: Pick<SessionSnapshot, 'fresh_ms'>): number => Math.max(AGE_MS, 2 * fresh_ms)

/**
 * Takes snapshots of busy sites whose answers are asked for often. `stop` is called between two sites.
 * @throws AggregateError when some could not be taken.
 */
export async function takeSnapshots(ctx: OpenDayContext, stop: () => boolean = () => false): Promise<void> {
  const { settled, snapshots } = ctx.derived
  snapshots.keepOnly(new Set(settled.keys()))
  for (const known of snapshots.all()) if (!isYoung(known, ctx.clock.now(), maxAgeMs(known))) drop(ctx, known)
  await deriveEach([...settled.values()], stop, async (day) => {
    const now = ctx.clock.now()
    const known = snapshots.get(day.site_id)
    const isDue = known === undefined || !isYoung(known, now, known.fresh_ms)
    if (isDue && snapshots.isAskedOften(day.site_id, now)) await take(ctx, day)
  })
}

const isYoung = ({ at }: Pick<SessionSnapshot, 'at'>, now: number, max_age_ms: number): boolean =>
  at <= now && now - at <= max_age_ms

async function take(ctx: OpenDayContext, settled: SettledDay): Promise<void> {
  const { site_id, day } = settled
  const at = ctx.collection.readableThrough()
  const after = endOf(settled)
  // No answer could use it where accepted events have been waiting for so long to become readable.
  if (utcDay(at) !== day || at < after || !isYoung({ at }, ctx.clock.now(), AGE_MS)) return
  const begun = ctx.clock.elapsed()
  // Named before the settled ones are compared: what is stored in between is noticed by one or the other.
  const facts = await nameEvents(ctx, settled, at + 1)
  if (!(await isStillSo(ctx, settled))) return
  const renewed_at = Math.min(ctx.clock.shared(), settled.renewed_at)
  const [ended, growing] = (await beginBuilds(ctx, settled, 2)) as [number, number]
  // All of the day is derived from facts as fast where few of its sessions have settled.
  const builds = settled.has_most ? settled.builds.map(({ build }) => build) : []
  const snapshot = { site_id, day, at, facts, settled: builds, ended, growing, renewed_at }
  hold(ctx, snapshot)
  try {
    const settling = settled.has_most
      ? { settling: { day, after, by: null, known: { from: settled.open_from, builds } } }
      : {}
    // The events up to `at` stay the same, or the snapshot is not used: fewer rows are lost ones.
    const confirmed = { are: areOfBuilds([ended, growing].map((build) => ({ site_id, day, build }))), may_grow: false }
    const of = { site_id, day, build: ended, growing: { cutoff: at, build: growing }, ...settling }
    for (const insert of insertBuild(of))
      await ctx.evidence.run(insert, { max_memory_mb: OPEN_DAY_MEMORY_MB, is_beside_writes: true, confirmed })
    // Else events came or went meanwhile.
    if ((await nameEvents(ctx, settled, at + 1)) !== facts || !isRenewed(ctx, renewed_at)) return
    const before = ctx.derived.snapshots.get(site_id)
    ctx.derived.snapshots.set({ ...snapshot, fresh_ms: freshMs(ctx.clock.elapsed() - begun) })
    if (before !== undefined) release(ctx, before)
  } finally {
    if (ctx.derived.snapshots.get(site_id)?.ended !== ended) release(ctx, snapshot)
  }
}

const freshMs = (took_ms: number): number => Math.min(FRESH_MS.most, Math.max(FRESH_MS.least, FRESH_MS.times * took_ms))

/** The builds of a snapshot. */
type Taken = Pick<SessionSnapshot, 'ended' | 'growing'>

function hold({ derived }: OpenDayContext, { ended, growing }: Taken): void {
  derived.building.add(ended).add(growing)
}

/** Builds that no answer uses any more are deleted by the clean-up minutes later. */
function release({ derived }: OpenDayContext, { ended, growing }: Taken): void {
  derived.building.delete(ended)
  derived.building.delete(growing)
}

function drop(ctx: OpenDayContext, snapshot: SessionSnapshot): void {
  ctx.derived.snapshots.delete(snapshot.site_id)
  release(ctx, snapshot)
}

/** The snapshot that an answer of the site may be given by; null where there is none. Notes that one is asked for. */
export async function findSnapshot(
  ctx: Pick<TrackerContext, 'clock' | 'derived' | 'evidence'>,
  site_id: string,
): Promise<SessionSnapshot | null> {
  const { settled, snapshots } = ctx.derived
  const now = ctx.clock.now()
  if (settled.has(site_id)) snapshots.note(site_id, now)
  const known = snapshots.get(site_id)
  if (known === undefined || !isYoung(known, now, maxAgeMs(known)) || utcDay(now) !== known.day) return null
  if (!isRenewed(ctx, known.renewed_at)) return null
  return (await haveStayed(ctx, known, known.at + 1)) ? known : null
}

/** The scope with the snapshot in place of the facts of its day; null where the scope is not one of that instant. */
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
