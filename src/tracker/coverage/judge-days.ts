/** Decides how complete the collection of each UTC day was (rules 6; docs/tracker/coverage.md explains it to users). */
import { DAY_MS } from '#clock.ts'
import { intersection, overlap, type TimeRange, union } from '#days/intervals.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { type DayRange, eachDay } from '#days/windows.ts'
import { FROM_SERVERS } from '../collection/collection-counts.ts'
import { type Collected, MAX_SILENCE_MS } from './collected.ts'
import type { TrackerDay } from './reading.ts'

/** Refusals of visitors' events that the service caused. The sender caused all others (rules 6.5). */
export const LOSSES: ReadonlySet<string> = new Set([
  'rate_limited',
  'backlog_full',
  'not_durable',
  'store_unavailable',
  'internal_error',
  // Events that were acknowledged, and lost on their way to the evidence store.
  'spool_damaged',
  'not_stored',
  'node_lost',
])

/** The instants that a window is judged by, epoch milliseconds. */
export interface JudgedInstants {
  as_of: number
  /** Up to here the collector was up, and accepted events are readable. */
  data_through: number | null
}

/** The evidence that the days of a window are judged by; sets hold UTC days. */
interface CollectionRecord {
  /** First UTC day with evidence: that of the first accepted event, or `browsers_from` if it is earlier. */
  known_from: string
  /** UTC day on which coverage of browsers begins; null if it has not begun. */
  browsers_from: string | null
  /** Epoch milliseconds. Before this instant the tracker could not collect, so nothing was interrupted. */
  begins_at: number
  /** Start of the retention, epoch milliseconds. */
  kept_from: number
  up: TimeRange[]
  paused: TimeRange[]
  /** Days with an accepted event, which proves that the collector was up. */
  collected: ReadonlySet<string>
  /** Days with an accepted event, if the answer also counts events of customers' servers; else empty. */
  served: ReadonlySet<string>
  /** Days with an accepted event of a browser, or an inspection that found the snippet. */
  proven: ReadonlySet<string>
  /** Days on which a page loaded the script. */
  loaded: ReadonlySet<string>
  /** Days with visitors who opted out of being counted. */
  opted_out: ReadonlySet<string>
  /** Days on which the service lost events (`LOSSES`). */
  lossy: ReadonlySet<string>
}

const UNKNOWN = { is_proven: false, is_counted: false }
const gap = (limitation: string): TrackerDay => ({ state: 'gap', limitation, ...UNKNOWN })
/** There were visits without an accepted event, so every count is null. */
const unseen = (limitation: string): TrackerDay => ({ state: 'partial', limitation, ...UNKNOWN })

/**
 * Judges every day of the range, ascending. A day on which only customers' servers sent events has no evidence about
 * visitors. Only answers that count such events (`of_servers`) count it, and there it is partial.
 */
export function judgeDays(
  collected: Collected,
  range: DayRange,
  at: JudgedInstants,
  of_servers = false,
): Map<string, TrackerDay> {
  const judge = judgeOf(collected, at, of_servers)
  return new Map(eachDay(range).map((day) => [day, judge(day)]))
}

function judgeOf(collected: Collected, at: JudgedInstants, of_servers: boolean): (day: string) => TrackerDay {
  const { tracker } = collected
  if (tracker === null) return () => gap('not_installed')
  const first_event_at = tracker.first_event_at
  if (first_event_at === null || first_event_at > at.as_of) return () => gap('before_first_event')
  const accepted = collected.counts.filter(({ outcome, events }) => outcome === 'accepted' && events > 0)
  const daysWith = (counts: Collected['counts']) => new Set(counts.map((row) => row.day))
  const { browsers_from } = collected
  const first_event_day = utcDay(first_event_at)
  const collection: CollectionRecord = {
    known_from: browsers_from !== null && browsers_from < first_event_day ? browsers_from : first_event_day,
    browsers_from,
    begins_at: Math.min(tracker.enabled_at, first_event_at),
    kept_from: at.as_of - collected.retention_days * DAY_MS,
    up: upRanges(collected.runs, at.as_of),
    paused: pausedRanges(collected, at.as_of),
    collected: daysWith(accepted),
    served: daysWith(of_servers ? accepted : []),
    proven: new Set([...daysWith(accepted.filter(isOfBrowser)), ...collected.inspected_days]),
    loaded: new Set(collected.loaded_days),
    opted_out: daysWith(collected.counts.filter(({ outcome, events }) => outcome === 'opted_out' && events > 0)),
    lossy: daysWith(collected.counts.filter(({ outcome, reason }) => outcome === 'refused' && LOSSES.has(reason))),
  }
  return (day) => judgeDay(collection, day, at)
}

/** Events of servers do not prove that pages have the snippet (rules 6). */
const isOfBrowser = ({ reason }: Collected['counts'][number]) => reason !== FROM_SERVERS

/** Publishes the most serious reason only. Reasons for a gap come before reasons for a partial day. */
function judgeDay(collection: CollectionRecord, day: string, at: JudgedInstants): TrackerDay {
  if (day < collection.known_from) return gap('before_first_event')
  const from = day === utcDay(collection.begins_at) ? collection.begins_at : dayStart(day)
  const span = { from, to: Math.max(Math.min(dayStart(day) + DAY_MS, at.as_of), from + 1) }
  if (dayStart(day) + DAY_MS <= collection.kept_from) return gap('retention')
  const paused = overlap(collection.paused, span)
  if (paused === 'inside') return gap('disabled')
  const up = overlap(collection.up, span)
  // An accepted event proves that the collector was up, even if it had no time to record that.
  if (up === 'apart' && !collection.collected.has(day)) return gap('collection_interrupted')
  if (at.data_through === null || at.data_through < span.from) return gap('not_yet_readable')
  const is_proven = collection.proven.has(day)
  const unproven = is_proven ? null : judgeUnproven(collection, day)
  if (unproven !== null && !collection.served.has(day)) return unproven
  const partial = (limitation: string | null): TrackerDay => ({
    state: 'partial',
    limitation,
    is_proven,
    is_counted: true,
  })
  if (!isUp(collection, span, up) || collection.lossy.has(day)) return partial('collection_interrupted')
  if (isLate(at.data_through, span, at)) return partial('not_yet_readable')
  if (paused === 'touched') return partial('disabled')
  if (unproven !== null) return partial(unproven.limitation)
  if (day === collection.browsers_from) return partial('evidence_begins')
  return { state: 'complete', limitation: null, is_proven, is_counted: true }
}

/** Judges a day without an accepted event of a browser and without a found snippet. */
function judgeUnproven({ browsers_from, loaded, opted_out }: CollectionRecord, day: string): TrackerDay {
  if (browsers_from === null || day < browsers_from) return gap('no_signal')
  if (opted_out.has(day)) return unseen('visitors_opted_out')
  // A load of the script proves a visit. A day without a load does not prove that there were no visits.
  return loaded.has(day) ? unseen('loads_without_events') : gap('no_signal')
}

/** Whether the collector was up all the time. A time in which the owner had switched it off is not an interruption. */
function isUp({ up, paused }: CollectionRecord, span: TimeRange, reached: ReturnType<typeof overlap>): boolean {
  if (reached === 'inside') return true
  const accounted = union([...intersection(up, [span]), ...intersection(paused, [span])])
  return overlap(accounted, span) === 'inside'
}

/** The open day may lag behind by this much and count as complete so far. `freshness` has the same bound (rules 6). */
export const CURRENT_MS = 5 * 60_000

/** Whether events of the day are not readable yet. The open day may lag; a closed day must be readable to its end. */
function isLate(data_through: number, span: TimeRange, { as_of }: JudgedInstants): boolean {
  const isOpen = dayStart(utcDay(span.from)) + DAY_MS > as_of
  return isOpen ? as_of - data_through > CURRENT_MS : data_through < span.to
}

/** Ranges exclude `to`. A state that still holds at the answer's instant ends just after it, so that it includes it. */
const past = (as_of: number) => as_of + 1

/** When a collector was up. Runs that are at most 90 s apart count as one (rules 6). */
function upRanges(runs: Collected['runs'], as_of: number): TimeRange[] {
  const up = runs.map((run) => ({ from: run.from_at, to: run.through_at + MAX_SILENCE_MS }))
  // The 90 s only join runs: after the last record of a joined range, the collector counts as down.
  return union(up)
    .map(({ from, to }) => ({ from, to: to >= as_of ? past(as_of) : to - MAX_SILENCE_MS }))
    .filter(({ from, to }) => from < to)
}

/** When the owner had switched the tracker off. */
function pausedRanges({ tracker, pauses }: Collected, as_of: number): TimeRange[] {
  const since = tracker?.disabled_at ?? null
  return union([
    ...pauses.map((row) => ({ from: row.from_at, to: row.to_at ?? past(as_of) })),
    ...(since === null ? [] : [{ from: since, to: past(as_of) }]),
  ])
}
