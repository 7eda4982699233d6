/**
 * Who watched which host on which day, and how completely (rules 3). A unit is what counts together: all named servers of a site
 * are one, every other source stands alone. In a unit several watchers look, the servers or the senders of one source,
 * and a minute was watched in full only where each expected one did.
 */

import type { CoverageIntervalRow, ForgottenWatchRow, OpenDayWinnerRow, SenderRow, SourceRow } from '#control/tables.ts'
import { intersection, type TimeRange, union } from '#days/intervals.ts'
import type { DayRange } from '#days/windows.ts'
import {
  coveredTime,
  dayRanks,
  type HostCoverage,
  isEveryDayComplete,
  type Places,
  placesOf,
  sampledDays,
} from './day-ranks.ts'
import { expectationOf, groupKey, isOfToday } from './expected.ts'
import { earliest, reportedThrough } from './reported.ts'

export type Interval = Pick<CoverageIntervalRow, 'source_id' | 'host' | 'from_at' | 'to_at' | 'quality'> &
  Partial<Pick<CoverageIntervalRow, 'sender' | 'sampling' | 'is_backfill' | 'is_declared' | 'reason'>>
export type CoverageSource = Pick<
  SourceRow,
  'id' | 'source_type' | 'name' | 'connected_at' | 'data_through' | 'connection_status' | 'moved_to'
>

/** Hosts that a provider's zone does not see, whatever it covers besides. */
export interface ZoneHosts {
  source_id: string
  unproxied: readonly string[]
}

/** What is known of who watched; `intervals` of any time, because hosts and senders that were there once stay expected. */
export interface WatchRecord {
  sources: readonly CoverageSource[]
  intervals: readonly Interval[]
  senders: readonly SenderRow[]
  /** What senders watched on days that retention has ended: they stay expected. */
  forgotten: readonly ForgottenWatchRow[]
  zones: readonly ZoneHosts[]
  /** Which source counted which host of the open day so far; left out, nothing is known of it. */
  winners?: readonly Omit<OpenDayWinnerRow, 'site_id'>[]
}

export const EVERY_HOST = '*'

/** True for a name such as `*.example.com`, as zones have them; not for `*`. */
export function isWildcard(host: string): boolean {
  return host.startsWith('*.')
}

/** True when a wildcard holds the host; it does not hold itself. */
export function isWithin(host: string, wildcard: string): boolean {
  return host !== wildcard && host.endsWith(wildcard.slice(1))
}

export interface Unit {
  /** Sorted. */
  source_ids: string[]
  /** The one that was connected first: it speaks for the unit where only one source can be named. */
  lead_id: string
  connected_at: number
  data_through: number | null
  /** A RANK for each day of the range that the units were made for. The same array for hosts that were watched alike. */
  ranks(host: string): Uint8Array
  /** Whether each day of the range has RANK.complete, at a cost that does not depend on the range's length. */
  isComplete(host: string): boolean
  /** When each of its expected watchers looked at everything, disjoint and ascending. */
  complete(host: string): readonly TimeRange[]
  /** 1 for each day of the range on which it looked at a sample only. */
  sampled(host: string): Uint8Array
  /** 1 for each day of the range whose watched minutes are all declared, none shown by a line. */
  declared(host: string): Uint8Array
  /** How long it watched on each day of the range, in milliseconds. */
  covered_ms(host: string): Float64Array
  /** What it ever watched of the host, declared or as one of all. The same array for hosts that were watched alike. */
  intervals(host: string): readonly Interval[]
}

/** Units of these sources, the one connected first first. Nothing after `asOf` counts as watched. */
export function countingUnits(record: WatchRecord, range: DayRange, asOf: number): Unit[] {
  const groups = Map.groupBy(record.sources, groupKey(record.sources))
  const before = record.intervals.filter((interval) => interval.from_at < asOf)
  const bySource = Map.groupBy(before, (interval) => interval.source_id)
  const places = placesOf(range, asOf)
  return [...groups.values()]
    .map((members) => countingUnit(members, record, bySource, places))
    .sort((a, b) => a.connected_at - b.connected_at || compare(a.lead_id, b.lead_id))
}

/** True when the interval says that all was seen: not sampled, not the provider's history. */
export function isWhole(interval: Interval): boolean {
  return interval.quality === 'complete' && interval.is_backfill !== 1 && !isSampled(interval)
}

/** Why an interval is less than a whole watch, as answers name it. */
export function intervalLimitations(interval: Interval): string[] {
  return [
    ...(isSampled(interval) ? ['sampled'] : []),
    ...(interval.is_backfill === 1 ? ['backfill'] : []),
    ...(interval.quality === 'partial' && interval.reason ? [interval.reason] : []),
  ]
}

export function isSampled({ sampling }: Interval): boolean {
  return typeof sampling === 'number' && sampling < 1
}

interface Watcher {
  by_host: Map<string, Interval[]>
  /** Names of `by_host` such as `*.example.com`, the longest first. */
  wildcards: readonly string[]
  /** Hosts that its `*` does not hold. */
  except: ReadonlySet<string>
  /** Hosts that it watched on days that retention has ended: it is expected for them too. */
  forgotten: ReadonlySet<string>
  /** When the unit is watched in full only if this watcher looks. */
  expected: TimeRange
  /** True for a named server: it is expected for every host, watched or not. */
  is_server: boolean
  /** What it saw of all hosts, so that it is put together once. */
  every_host: Seen
}

function countingUnit(
  members: readonly CoverageSource[],
  record: WatchRecord,
  bySource: Map<string, Interval[]>,
  places: Places,
): Unit {
  const ids = new Set(members.map(({ id }) => id))
  const isPart = ({ moved_to }: CoverageSource) => moved_to !== null && ids.has(moved_to)
  const servers = members.filter((source) => !isPart(source))
  const watchers = servers.flatMap((source) => {
    const parts = members.filter(({ moved_to }) => moved_to === source.id)
    const own = [source, ...parts].flatMap(({ id }) => bySource.get(id) ?? [])
    return watchersOf(source, own, record, servers.length > 1)
  })
  const named = new Set(
    watchers.flatMap((watcher) => [...watcher.by_host.keys(), ...watcher.except, ...watcher.forgotten]),
  )
  // A server that was disconnected is waited for no more, nor is an unnamed one after its last day.
  const awaited = servers.filter(
    (source) =>
      servers.length === 1 ||
      (source.connection_status !== 'disconnected' &&
        (source.name !== '' || isOfToday(bySource.get(source.id), places))),
  )
  const data_through = earliest(
    awaited.map((source) => reportedThrough(source, bySource.get(source.id) ?? [], places.as_of, record.senders)),
  )
  const watched = memo((host) => watch(watchers, host))
  const ranks = memo((host) => dayRanks(watched(host), data_through, places))
  const covered_ms = memo((host) => coveredTime(watched(host).any, places))
  const held = memo((host) => watchers.flatMap((watcher) => intervalsOf(watcher, host)))
  const sampled = memo((host) => sampledDays(held(host).filter(isSampled).map(rangeOf), places))
  const declared = memo((host) => {
    const shown = held(host).filter((interval) => interval.is_declared !== 1)
    const observed = coveredTime(union(shown.map(rangeOf)), places)
    return Uint8Array.from(covered_ms(host), (ms, day) => (ms > 0 && observed[day] === 0 ? 1 : 0))
  })
  const wildcards = [...new Set(watchers.flatMap((watcher) => watcher.wildcards))]
  const distinct = (host: string) => {
    const isOwn = named.has(host) || wildcards.some((wildcard) => isWithin(host, wildcard))
    return isOwn ? host : EVERY_HOST
  }
  const [lead] = members.toSorted((a, b) => connected(a) - connected(b) || compare(a.id, b.id))
  return {
    source_ids: members.map((source) => source.id).sort(),
    lead_id: (lead as CoverageSource).id,
    connected_at: connected(lead as CoverageSource),
    data_through,
    ranks: (host) => ranks(distinct(host)),
    isComplete: (host) => isEveryDayComplete(watched(distinct(host)), data_through, places),
    complete: (host) => watched(distinct(host)).complete,
    sampled: (host) => sampled(distinct(host)),
    declared: (host) => declared(distinct(host)),
    covered_ms: (host) => covered_ms(distinct(host)),
    intervals: (host) => held(distinct(host)),
  }
}

function watchersOf(
  source: CoverageSource,
  intervals: readonly Interval[],
  record: WatchRecord,
  isServer: boolean,
): Watcher[] {
  const except = new Set(record.zones.find((zone) => zone.source_id === source.id)?.unproxied)
  const senders = Map.groupBy(intervals, (interval) => interval.sender ?? '')
  const gone = Map.groupBy(
    record.forgotten.filter((row) => row.source_id === source.id),
    (row) => row.sender,
  )
  const names = new Set([...senders.keys(), ...gone.keys()])
  if (names.size === 0 && isServer) names.add('')
  return [...names].map((name) => {
    const own = senders.get(name) ?? []
    const before = gone.get(name) ?? []
    const by_host = Map.groupBy(own, (interval) => interval.host)
    const sender = record.senders.find((row) => row.source_id === source.id && row.name === name)
    const wildcards = [...by_host.keys()].filter(isWildcard).sort((a, b) => b.length - a.length)
    const every_host = seenIn(by_host.get(EVERY_HOST) ?? [])
    const expected = expectationOf(source, [...own, ...before], sender)
    const forgotten = new Set(before.map((row) => row.host))
    return { by_host, wildcards, except, forgotten, expected, is_server: isServer, every_host }
  })
}

function intervalsOf(watcher: Watcher, host: string): readonly Interval[] {
  const { by_host, except } = watcher
  const own = by_host.get(host) ?? []
  if (host === EVERY_HOST || except.has(host)) return own
  return own.concat(by_host.get(wildcardFor(watcher, host) ?? '') ?? [], by_host.get(EVERY_HOST) ?? [])
}

/** The record `*.example.com` of a zone that holds a host: the closest one, and none where the host has a record itself (RFC 4592). */
function wildcardFor({ by_host, wildcards, except }: Watcher, host: string): string | undefined {
  if (except.has(host) || by_host.has(host)) return undefined
  return wildcards.find((wildcard) => isWithin(host, wildcard))
}

function hasForgotten({ forgotten }: Watcher, host: string): boolean {
  return forgotten.has(host) || forgotten.has(EVERY_HOST)
}

function watch(watchers: readonly Watcher[], host: string): HostCoverage {
  const looking = watchers.filter(
    (watcher) => watcher.is_server || intervalsOf(watcher, host).length > 0 || hasForgotten(watcher, host),
  )
  const seen = looking.map((watcher) => ({ ...seenOf(watcher, host), expected: watcher.expected }))
  const [only, second] = seen
  if (only !== undefined && second === undefined) return { any: only.all, complete: only.whole }
  const anyWhole = union(seen.flatMap(({ whole }) => whole))
  return {
    any: union(seen.flatMap(({ all }) => all)),
    complete: seen.map(({ whole, expected }) => union([...whole, ...outside(expected)])).reduce(intersection, anyWhole),
  }
}

interface Seen {
  all: TimeRange[]
  whole: TimeRange[]
}

function seenOf(watcher: Watcher, host: string): Seen {
  const { by_host, except, every_host } = watcher
  if (host === EVERY_HOST) return every_host
  const own = seenIn([...(by_host.get(host) ?? []), ...(by_host.get(wildcardFor(watcher, host) ?? '') ?? [])])
  if (except.has(host)) return own
  return { all: union([...own.all, ...every_host.all]), whole: union([...own.whole, ...every_host.whole]) }
}

/** When a whole watch is known, of intervals of any host. */
export function wholeWatch(intervals: readonly Interval[]): TimeRange[] {
  return seenIn(intervals).whole
}

function seenIn(intervals: readonly Interval[]): Seen {
  const all: TimeRange[] = []
  const whole: TimeRange[] = []
  for (const interval of intervals) {
    const range = rangeOf(interval)
    all.push(range)
    if (isWhole(interval)) whole.push(range)
  }
  return { all: union(all), whole: union(whole) }
}

const rangeOf = ({ from_at, to_at }: Interval): TimeRange => ({ from: from_at, to: to_at })

function outside({ from, to }: TimeRange): TimeRange[] {
  return [
    { from: Number.NEGATIVE_INFINITY, to: from },
    { from: to, to: Number.POSITIVE_INFINITY },
  ]
}

function connected({ connected_at }: CoverageSource): number {
  return connected_at ?? Number.POSITIVE_INFINITY
}

function compare(a: string, b: string): number {
  return a < b ? -1 : 1
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
