/** Opens the reading of a tracker answer: gate and coverage in one control snapshot, before counts (rules 3, 6). */

import type { Operational } from '#contract/tracker-meta.ts'
import type { Freshness, Window } from '#contract/vocabulary.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { CollectionCountRow } from '#control/tables.ts'
import { utcDay } from '#days/utc-day.ts'
import { type DayRange, dayRanges, windowDays } from '#days/windows.ts'
import type { SessionSnapshot } from '#derived/session-snapshots.ts'
import { EvidenceError } from '#evidence/errors.ts'
import { Refusal } from '#refusal.ts'
import { isGateOpen } from '#sites/gates.ts'
import type { TrackerContext } from '../context.ts'
import { type Including, includesDevelopment, including } from '../development/include.ts'
import type { TrackerScope } from '../scope.ts'
import { findSnapshot, withSnapshot } from '../sessions/session-snapshots.ts'
import { withSettled } from '../sessions/settled-sessions.ts'
import { type Collected, readCollected } from './collected.ts'
import { CURRENT_MS, type JudgedInstants, judgeDays } from './judge-days.ts'
import { findMissing, withMissing } from './missing-events.ts'
import { judgeOperation } from './operational.ts'
import { type GatedReader, gateOf, isGated, type Reader } from './readers.ts'
import type { MeasurementState, TrackerReading } from './reading.ts'

/** A reading with everything that the `meta` of an answer needs. */
export interface OpenedReading<T = unknown> extends TrackerReading {
  reader: Reader
  freshness: { state: Freshness; limitations: string[] }
  operational: Operational
  /** The window has days whose channels are less exact (`oldOrigins`). */
  has_old_origins: boolean
  /** Counts of events on the days of the window, including bots and refused events. */
  counts: CollectionCountRow[]
  /** The result of `ReadingInput.also`. */
  also: T
}

export interface ReadingInput<T> extends Including {
  window: Window
  reader: Reader
  /** Reads more in the same control snapshot, for example definitions and their builds. */
  also?: (tx: ControlTransaction, range: DayRange) => Promise<T>
}

/** Reads the coverage and the builds of a window as of one instant. @throws Refusal reader_unavailable: gate closed. */
export async function openTrackerReading<T = undefined>(
  ctx: TrackerContext,
  { window, reader, include, also }: ReadingInput<T>,
): Promise<OpenedReading<T>> {
  const as_of = ctx.clock.now()
  const with_development = includesDevelopment(include)
  const range = windowDays(window, as_of)
  const counts_sessions = !COUNT_FACTS.has(reader)
  const snapshot = counts_sessions && !with_development ? await evidenceOrNull(findSnapshot(ctx, ctx.site.id)) : null
  // Taken before the control store is read: until the counts are read, only more events can become readable.
  const readable = Math.min(ctx.collection.readableThrough(), snapshot?.at ?? Number.POSITIVE_INFINITY)
  const read = await ctx.control.snapshot(async (tx) => {
    if (isGated(reader) && !(await isGateOpen(tx, ctx.site.id, gateOf(reader)))) throw closed(reader)
    const collected = await readCollected(tx, ctx.site.id, range, as_of)
    return {
      collected: await including(tx, collected, { site_id: ctx.site.id, range, include }),
      also: also === undefined ? undefined : await also(tx, range),
    }
  })
  const collected = reader === 'pages' ? withoutOutdated(read.collected) : read.collected
  const up_now = ctx.collection.is_collecting === true ? [readable] : []
  const at = {
    as_of,
    data_through: dataThrough(collected, [...collected.runs.map(throughOf), ...up_now], readable, as_of),
  }
  const of_servers = COUNT_SERVERS.has(reader)
  const judged = judgeRange(ctx.site.id, collected, range, at, { of_servers, with_development })
  const scope = judged.has_evidence && counts_sessions ? await withBuilds(ctx, judged.scope, snapshot) : judged.scope
  return {
    reader,
    ...withMissing({ ...judged, scope }, await findMissing(ctx, collected), COUNT_ALL_NAMES.has(reader)),
    freshness: judgeFreshness(collected, at),
    operational: judgeOperation(collected, ctx.collection.recent?.(ctx.site.id) ?? null, as_of),
    has_old_origins: hasOldOrigins(collected, range),
    counts: collected.counts,
    also: read.also as T,
  }
}

/** Readers that also count events of customers' servers (rules 6). */
const COUNT_SERVERS: ReadonlySet<Reader> = new Set(['conversions', 'revenue', 'events'])
/** Readers that count no sessions. */
const COUNT_FACTS: ReadonlySet<Reader> = new Set(['revenue', 'events'])

/** The scope with the builds of the open day, where they can be used. */
async function withBuilds(
  ctx: TrackerContext,
  scope: TrackerScope,
  snapshot: SessionSnapshot | null,
): Promise<TrackerScope> {
  const taken = snapshot === null ? null : withSnapshot(scope, snapshot)
  return taken ?? (await evidenceOrNull(withSettled(ctx, scope))) ?? scope
}

/** Null if the evidence store cannot answer: then the statements of the answer fail, and `withEvidence` reports it. */
async function evidenceOrNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found
  } catch (error) {
    if (!(error instanceof EvidenceError) || error.kind === 'bug') throw error
    return null
  }
}

/** Readers whose answers lack refused events of any name. */
const COUNT_ALL_NAMES: ReadonlySet<Reader> = new Set(['overview', 'events', 'coverage'])

/** Events that a reading counts besides those of visitors. */
interface Counted {
  of_servers?: boolean
  with_development?: boolean
}

/** Judges what can be counted of a range and how complete it is; also for the range that a window is compared with. */
export function judgeRange(
  site_id: string,
  collected: Collected,
  range: DayRange,
  at: JudgedInstants,
  { of_servers = false, with_development = false }: Counted = {},
): TrackerReading {
  const days = judgeDays(collected, range, at, of_servers)
  const measurement_state = measurementState(collected, at.as_of)
  const gaps = [...days].filter(([, { state }]) => state === 'gap').map(([day]) => day)
  const uncounted = [...days].filter(([, { is_counted }]) => !is_counted).map(([day]) => day)
  const counted = withoutDays(scopeOf(site_id, collected, range, at), uncounted)
  const scope = with_development ? { ...counted, with_development } : counted
  return {
    range,
    days,
    measurement_state,
    // Not spread: `at` may be a whole reading, whose other fields belong to another range.
    as_of: at.as_of,
    data_through: at.data_through,
    scope: measurement_state === 'measured' ? scope : { ...scope, builds: [], fact_days: [] },
    has_evidence: uncounted.length < days.size,
    is_whole: [...days.values()].every(({ state }) => state === 'complete'),
    available_from: measurement_state === 'measured' ? utcDay(collected.tracker?.first_event_at as number) : null,
    // Without a key the site never collected: the whole window is unknown, so no day is a gap (rules 3).
    gaps: measurement_state === 'uninstalled' ? [] : dayRanges(gaps),
    limitations: limitationsOf(days.values()),
    missing: [],
    has_development: with_development,
    has_opted_out: collected.counts.some(({ outcome, events }) => outcome === 'opted_out' && events > 0),
  }
}

const closed = (reader: GatedReader) =>
  new Refusal('reader_unavailable', 'This reader is switched off; its owner switches it on again: {next}.', {
    next: { step: 'gate.set', gate: gateOf(reader) },
  })

function measurementState({ tracker }: Collected, as_of: number): MeasurementState {
  if (tracker === null) return 'uninstalled'
  const first = tracker.first_event_at
  return first === null || first > as_of ? 'awaiting_first_evidence' : 'measured'
}

/** The reader of pages needs the pages of all events. Outdated days are read from facts until they are built again. */
const withoutOutdated = (collected: Collected): Collected => ({
  ...collected,
  dirty_days: [...collected.dirty_days, ...collected.outdated_days],
})

const hasOldOrigins = ({ tracker }: Collected, { from }: DayRange): boolean =>
  tracker !== null && tracker.old_origins_through !== null && utcDay(tracker.old_origins_through) >= from

const throughOf = ({ through_at }: { through_at: number }) => through_at

/** Until when the collector was up and accepted events are readable (rules 6); null if it was never up for the site. */
function dataThrough({ tracker }: Collected, marks: readonly number[], readable: number, as_of: number): number | null {
  if (tracker === null || marks.length === 0) return null
  const through = Math.min(Math.max(...marks), readable, as_of)
  return tracker.first_event_at === null && through < tracker.enabled_at ? null : through
}

function scopeOf(
  site_id: string,
  { builds, dirty_days, counts }: Collected,
  range: DayRange,
  at: JudgedInstants,
): TrackerScope {
  const open_day = utcDay(at.as_of)
  const dirty = new Set(dirty_days)
  const built = builds.filter(({ day }) => day < open_day && !dirty.has(day))
  const closed_days = new Set(built.map(({ day }) => day))
  const with_events = counts.filter(({ outcome }) => outcome === 'accepted').map(({ day }) => day)
  const open = open_day === range.to ? [open_day] : []
  const fact_days = new Set([...dirty, ...with_events, ...open].filter((day) => !closed_days.has(day)))
  return {
    site_id,
    builds: built.map(({ day, build }) => ({ day, build })),
    fact_days: [...fact_days].sort(),
    cutoff: at.data_through ?? at.as_of,
  }
}

/** The scope without uncounted days. Their evidence may still be stored, until retention deletes it. */
function withoutDays(scope: TrackerScope, uncounted: readonly string[]): TrackerScope {
  const unknown = new Set(uncounted)
  return {
    ...scope,
    builds: scope.builds.filter(({ day }) => !unknown.has(day)),
    fact_days: scope.fact_days.filter((day) => !unknown.has(day)),
  }
}

const limitationsOf = (days: Iterable<{ limitation: string | null }>): string[] =>
  [...new Set([...days].flatMap(({ limitation }) => (limitation === null ? [] : [limitation])))].sort()

function judgeFreshness(
  { tracker, runs }: Collected,
  { as_of, data_through }: JudgedInstants,
): OpenedReading['freshness'] {
  if (tracker === null) return { state: 'unavailable', limitations: ['not_installed'] }
  if (tracker.disabled_at !== null) return { state: 'unavailable', limitations: ['disabled'] }
  if (data_through === null) return { state: 'unavailable', limitations: ['collection_interrupted'] }
  if (as_of - data_through <= CURRENT_MS) return { state: 'current', limitations: [] }
  const isMarked = runs.some((run) => as_of - run.through_at <= CURRENT_MS)
  return { state: 'stale', limitations: [isMarked ? 'not_yet_readable' : 'collection_interrupted'] }
}
