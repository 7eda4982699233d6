/**
 * Which source counts which host on which day, and how completely each day was watched (rules 3).
 * Per host and day exactly one primary counts: better coverage first, then the one connected earlier.
 */

import { DAY_MS, dayStart, HOUR_MS, utcDay } from '#clock.ts'
import type { CoverageIntervalRow, SourceRow } from '#control/tables.ts'
import { intersection, reach, type Stretch, union } from './intervals.ts'
import { type DayRange, eachDay } from './window.ts'

export type DayState = 'complete' | 'partial' | 'gap'

/** Days on which the evidence of these sources counts; `hosts` null means every host. */
export interface CountingSlice extends DayRange {
  source_ids: string[]
  hosts: { only: string[] } | { except: string[] } | null
}

export interface CountedDays {
  states: Map<string, DayState>
  slices: CountingSlice[]
}

type Interval = Pick<CoverageIntervalRow, 'source_id' | 'host' | 'from_at' | 'to_at' | 'quality'>
type Source = Pick<SourceRow, 'id' | 'source_type' | 'server' | 'connected_at' | 'data_through'>

const EVERY_HOST = '*'
const FRESH_MS = 2 * HOUR_MS

/**
 * Judges each day of a range. `sources` are the primaries; `intervals` theirs, of any time, since hosts declared once stay expected.
 * Nothing after `asOf` counts as watched.
 */
export function countDays(
  sources: readonly Source[],
  intervals: readonly Interval[],
  range: DayRange,
  asOf: number,
): CountedDays {
  const units = countingUnits(sources, intervals, asOf)
  const expected = [...new Set(intervals.map((interval) => interval.host))].sort()
  const states = new Map<string, DayState>()
  const slices: CountingSlice[] = []
  for (const day of eachDay(range)) {
    const perHost = expected.map((host) => ({ host, ...bestUnit(units, host, day, asOf) }))
    states.set(day, worst(perHost.map((entry) => entry.state)))
    for (const slice of daySlices(day, perHost)) extendOrPush(slices, slice)
  }
  return { states, slices }
}

/** The newest instant that a source had reported through at `asOf`; null when it had reported nothing by then. */
export function reportedThrough(source: Source, intervals: readonly Interval[], asOf: number): number | null {
  const own = intervals.filter((interval) => interval.source_id === source.id && interval.from_at < asOf)
  if (source.data_through === null || own.length === 0) return null
  if (source.data_through <= asOf) return source.data_through
  // An interval that goes on past `asOf` was watched up to it.
  return Math.max(...own.map((interval) => Math.min(interval.to_at, asOf)))
}

/** Sources that complement each other: all named servers of a site are one unit, every other source stands alone. */
interface Unit {
  source_ids: string[]
  connected_at: number
  data_through: number | null
  any: (host: string) => readonly Stretch[]
  complete: (host: string) => readonly Stretch[]
}

function countingUnits(sources: readonly Source[], intervals: readonly Interval[], asOf: number): Unit[] {
  const groups = new Map<string, Source[]>()
  for (const source of sources) {
    const name = source.source_type === 'log_upload' && source.server !== '' ? 'servers' : source.id
    groups.set(name, [...(groups.get(name) ?? []), source])
  }
  return [...groups.values()]
    .map((members) => countingUnit(members, intervals, asOf))
    .sort((a, b) => a.connected_at - b.connected_at || compare(a.source_ids[0], b.source_ids[0]))
}

function countingUnit(members: readonly Source[], intervals: readonly Interval[], asOf: number): Unit {
  const ids = members.map((source) => source.id).sort()
  const stretchesOf = (sourceId: string, host: string, onlyComplete: boolean): Stretch[] =>
    union(
      intervals
        .filter((i) => i.source_id === sourceId && (i.host === host || i.host === EVERY_HOST))
        .filter((i) => !onlyComplete || i.quality === 'complete')
        .map((i) => ({ from: i.from_at, to: Math.min(i.to_at, Math.max(asOf, i.from_at)) })),
    )
  return {
    source_ids: ids,
    connected_at: Math.min(...members.map((source) => source.connected_at ?? Number.POSITIVE_INFINITY)),
    data_through: earliest(members.map((source) => reportedThrough(source, intervals, asOf))),
    any: memo((host) => union(ids.flatMap((id) => stretchesOf(id, host, false)))),
    // A site that declares servers is watched in full only while each of them is.
    complete: memo((host) => ids.map((id) => stretchesOf(id, host, true)).reduce(intersection)),
  }
}

interface HostVerdict {
  state: DayState
  unit: Unit | null
}

function bestUnit(units: readonly Unit[], host: string, day: string, asOf: number): HostVerdict {
  let best: HostVerdict = { state: 'gap', unit: null }
  for (const unit of units) {
    const state = unitDay(unit, host, day, asOf)
    if (rank(state) > rank(best.state)) best = { state, unit }
  }
  return best
}

function unitDay(unit: Unit, host: string, day: string, asOf: number): DayState {
  const from = dayStart(day)
  const isToday = day === utcDay(asOf)
  const touched = reach(unit.any(host), { from, to: Math.min(from + DAY_MS, asOf) }) !== 'apart'
  const through = unit.data_through
  if (isToday && through !== null && asOf - through < FRESH_MS) {
    const reportedByHost = reach(unit.complete(host), { from: through - 1, to: through }) === 'inside'
    if (through <= from && reportedByHost) return 'complete'
    if (through > from && reach(unit.complete(host), { from, to: through }) === 'inside') return 'complete'
  } else if (!isToday && reach(unit.complete(host), { from, to: from + DAY_MS }) === 'inside') {
    return 'complete'
  }
  return touched ? 'partial' : 'gap'
}

function worst(states: readonly DayState[]): DayState {
  if (states.length === 0 || states.every((state) => state === 'gap')) return 'gap'
  return states.every((state) => state === 'complete') ? 'complete' : 'partial'
}

/** One slice for all hosts of the day, and one for each host whose counting unit is another. */
function daySlices(day: string, perHost: readonly (HostVerdict & { host: string })[]): CountingSlice[] {
  const counting = perHost.filter((entry): entry is HostVerdict & { host: string; unit: Unit } => entry.unit !== null)
  const rest =
    counting.find((entry) => entry.host === EVERY_HOST) ??
    [...counting].sort((a, b) => rank(b.state) - rank(a.state))[0]
  if (rest === undefined) return []
  const others = counting.filter((entry) => entry.unit !== rest.unit)
  const slices: CountingSlice[] = [
    {
      from: day,
      to: day,
      source_ids: rest.unit.source_ids,
      hosts: others.length === 0 ? null : { except: others.map((entry) => entry.host) },
    },
  ]
  for (const unit of new Set(others.map((entry) => entry.unit))) {
    const only = others.filter((entry) => entry.unit === unit).map((entry) => entry.host)
    slices.push({ from: day, to: day, source_ids: unit.source_ids, hosts: { only } })
  }
  return slices
}

function extendOrPush(slices: CountingSlice[], next: CountingSlice): void {
  const sameSources = slices.findLast(
    (slice) =>
      sameList(slice.source_ids, next.source_ids) && JSON.stringify(slice.hosts) === JSON.stringify(next.hosts),
  )
  if (sameSources !== undefined && dayStart(next.from) - dayStart(sameSources.to) === DAY_MS) sameSources.to = next.to
  else slices.push(next)
}

function rank(state: DayState): number {
  return state === 'complete' ? 2 : state === 'partial' ? 1 : 0
}

function earliest(instants: readonly (number | null)[]): number | null {
  const known = instants.filter((instant) => instant !== null)
  return known.length < instants.length || known.length === 0 ? null : Math.min(...known)
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index])
}

function compare(a: string | undefined, b: string | undefined): number {
  return (a ?? '') < (b ?? '') ? -1 : 1
}

function memo<T>(make: (key: string) => T): (key: string) => T {
  const made = new Map<string, T>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const value = make(key)
    made.set(key, value)
    return value
  }
}
