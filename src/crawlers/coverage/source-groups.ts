/**
 * Groups of sources that count together, and their coverage of each host on each day (rules 3). All named servers of a
 * site are one group, every other source is a group of its own. A group has one or more observers: its servers, or the
 * senders of its source. A minute is covered in full only if each expected observer covered it in full.
 */

import { DAY_MS } from '#clock.ts'
import type {
  CoverageIntervalRow,
  ExpiredCoverageRow,
  OpenDayWinnerRow,
  SenderRow,
  SourceRow,
} from '#control/tables.ts'
import { type TimeRange, union } from '#days/intervals.ts'
import type { DayRange } from '#days/windows.ts'
import { earliest, reportedThrough } from './data-through.ts'
import { groupKey, isOfToday } from './expected-observers.ts'
import {
  coveredTime,
  type DayIndexes,
  dayIndexesOf,
  dayRanks,
  isEveryDayComplete,
  sampledDays,
} from './host-day-completeness.ts'
import { coverageOf, intervalsOf, isSampledInterval, observersOf, rangeOf } from './observers.ts'
import type { UnreadableDay } from './site-coverage.ts'
import { EVERY_HOST, isWithin } from './wildcard-hosts.ts'

export type Interval = Pick<CoverageIntervalRow, 'source_id' | 'host' | 'from_at' | 'to_at' | 'quality'> &
  Partial<Pick<CoverageIntervalRow, 'sender' | 'sampling' | 'is_backfill' | 'is_declared' | 'reason'>>
export type CoverageSource = Pick<
  SourceRow,
  'id' | 'source_type' | 'name' | 'connected_at' | 'data_through' | 'connection_status' | 'moved_to'
>

/** Hosts that a provider's zone never sees. */
export interface ZoneHosts {
  source_id: string
  unproxied: readonly string[]
}

/** The coverage of a site; `intervals` of all time, because hosts and senders stay expected. */
export interface CoverageRecord {
  sources: readonly CoverageSource[]
  intervals: readonly Interval[]
  senders: readonly SenderRow[]
  /** Coverage of senders on days past the retention: these senders stay expected. */
  expired: readonly ExpiredCoverageRow[]
  /** Days on which too many records of a sender were refused; left out: none. */
  unreadable?: readonly UnreadableDay[]
  zones: readonly ZoneHosts[]
  /** The source that has counted each host of the open day so far; left out: unknown. */
  winners?: readonly Omit<OpenDayWinnerRow, 'site_id'>[]
}

export interface SourceGroup {
  /** Sorted. */
  source_ids: string[]
  /** The source that was connected first; answers that name one source of the group name it. */
  lead_source_id: string
  connected_at: number
  data_through: number | null
  /** A RANK for each day of the range of the groups. Hosts with the same coverage share an array. */
  ranks(host: string): Uint8Array
  /** Whether each day of the range has RANK.complete, at a cost that does not depend on the range's length. */
  isComplete(host: string): boolean
  /** The time that all expected observers covered in full, disjoint and ascending. */
  complete(host: string): readonly TimeRange[]
  /** 1 for each day of the range with sampled time. */
  sampled(host: string): Uint8Array
  /** 1 for each day of the range whose covered minutes are all declared, without a line in any of them. */
  declared(host: string): Uint8Array
  /** How long it covered on each day of the range, in milliseconds. */
  covered_ms(host: string): Float64Array
  /** All intervals for the host, by its name or for all hosts. Hosts with the same coverage share an array. */
  intervals(host: string): readonly Interval[]
}

/**
 * Groups of these sources, by the instant of their first connection. Nothing after `asOf` counts as covered.
 * @param ended uploads that are no longer primary: they say nothing about days after their last one.
 */
export function sourceGroups(
  record: CoverageRecord,
  range: DayRange,
  asOf: number,
  ended: ReadonlySet<string> = new Set(),
): SourceGroup[] {
  const groups = Map.groupBy(record.sources, groupKey(record.sources))
  const before = record.intervals.filter((interval) => interval.from_at < asOf)
  const bySource = Map.groupBy(before, (interval) => interval.source_id)
  const dayIndexes = dayIndexesOf(range, asOf)
  return [...groups.values()]
    .map((members) => sourceGroup(members, record, bySource, dayIndexes, ended))
    .sort((a, b) => a.connected_at - b.connected_at || compare(a.lead_source_id, b.lead_source_id))
}

/** Why an interval is not full coverage, as answers name it. */
export function intervalLimitations(interval: Interval): string[] {
  return [
    ...(isSampledInterval(interval) ? ['sampled'] : []),
    ...(interval.is_backfill === 1 ? ['backfill'] : []),
    ...(interval.quality === 'partial' && interval.reason ? [interval.reason] : []),
  ]
}

function sourceGroup(
  members: readonly CoverageSource[],
  record: CoverageRecord,
  bySource: Map<string, Interval[]>,
  dayIndexes: DayIndexes,
  ended: ReadonlySet<string>,
): SourceGroup {
  const ids = new Set(members.map(({ id }) => id))
  const isPart = ({ moved_to }: CoverageSource) => moved_to !== null && ids.has(moved_to)
  const servers = members.filter((source) => !isPart(source))
  const observers = servers.flatMap((source) => {
    const parts = members.filter(({ moved_to }) => moved_to === source.id)
    const own = [source, ...parts].flatMap(({ id }) => bySource.get(id) ?? [])
    return observersOf(source, own, record, servers.length > 1)
  })
  const named = new Set(
    observers.flatMap((observer) => [...observer.by_host.keys(), ...observer.except, ...observer.expired]),
  )
  // A disconnected server is no longer expected, nor is an unnamed one after its last day.
  const awaited = servers.filter(
    (source) =>
      servers.length === 1 ||
      (source.connection_status !== 'disconnected' &&
        (source.name !== '' || isOfToday(bySource.get(source.id), dayIndexes))),
  )
  const data_through = earliest(
    awaited.map((source) => reportedThrough(source, bySource.get(source.id) ?? [], dayIndexes.as_of, record.senders)),
  )
  const isEnded = members.every(({ id }) => ended.has(id))
  const midnight = (dayIndexes.first + dayIndexes.today) * DAY_MS
  // Others have reported later times, so a source that has reported only until before midnight says nothing about
  // today.
  const fresh_through = isEnded && data_through !== null && data_through <= midnight ? null : data_through
  const covered = memo((host) => coverageOf(observers, host))
  const ranks = memo((host) => dayRanks(covered(host), fresh_through, dayIndexes))
  const covered_ms = memo((host) => coveredTime(covered(host).any, dayIndexes))
  const held = memo((host) => observers.flatMap((observer) => intervalsOf(observer, host)))
  const sampled = memo((host) => sampledDays(held(host).filter(isSampledInterval).map(rangeOf), dayIndexes))
  const declared = memo((host) => {
    const shown = held(host).filter((interval) => interval.is_declared !== 1)
    const observed = coveredTime(union(shown.map(rangeOf)), dayIndexes)
    return Uint8Array.from(covered_ms(host), (ms, day) => (ms > 0 && observed[day] === 0 ? 1 : 0))
  })
  const wildcards = [...new Set(observers.flatMap((observer) => observer.wildcards))]
  const distinct = (host: string) => {
    const isOwn = named.has(host) || wildcards.some((wildcard) => isWithin(host, wildcard))
    return isOwn ? host : EVERY_HOST
  }
  const [lead] = members.toSorted((a, b) => connected(a) - connected(b) || compare(a.id, b.id))
  return {
    source_ids: members.map((source) => source.id).sort(),
    lead_source_id: (lead as CoverageSource).id,
    connected_at: connected(lead as CoverageSource),
    data_through,
    ranks: (host) => ranks(distinct(host)),
    isComplete: (host) => isEveryDayComplete(covered(distinct(host)), fresh_through, dayIndexes),
    complete: (host) => covered(distinct(host)).complete,
    sampled: (host) => sampled(distinct(host)),
    declared: (host) => declared(distinct(host)),
    covered_ms: (host) => covered_ms(distinct(host)),
    intervals: (host) => held(distinct(host)),
  }
}

const connected = ({ connected_at }: CoverageSource): number => connected_at ?? Number.POSITIVE_INFINITY

const compare = (a: string, b: string): number => (a < b ? -1 : 1)

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
