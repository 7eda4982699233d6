/**
 * Which source counts which host on which day, and how completely each day was covered (rules 3). Per host and day
 * exactly one primary counts: the one with better coverage, else the one that was connected first; on the open day the
 * one that has counted so far stays until it is worse.
 */

import { DAY_MS } from '#clock.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { type DayRange, eachDay } from '#days/windows.ts'
import { isBetterCoverage } from './better-coverage.ts'
import { type CountingSlice, type HostDays, slicesOf } from './counting-slices.ts'
import { endedUploads } from './ended-uploads.ts'
import { expectedHosts } from './expected-hosts.ts'
import { dayIndexesOf, FRESH_MS, RANK } from './host-day-completeness.ts'
import { type DayState, statesOf } from './site-day-completeness.ts'
import { type CoverageRecord, type CoverageSource, type SourceGroup, sourceGroups } from './source-groups.ts'

export interface CountedDays {
  states: Map<string, DayState>
  slices: CountingSlice[]
  /** A RANK of any host for each day of the range. */
  ranks(host: string): Uint8Array
}

/** Judges each day of a range. The sources of `record` are the primaries. Nothing after `asOf` counts as covered. */
export function countDays(record: CoverageRecord, range: DayRange, asOf: number): CountedDays {
  const { groups, hosts } = judgeHosts(record, range, asOf)
  const days = eachDay(range)
  return {
    states: statesOf(hosts, days),
    slices: slicesOf(groups, hosts, days),
    ranks: (host) => bestGroups(groups, host, days.length).ranks,
  }
}

/** Each expected host with the group that counts it on each day of a range, and with its coverage. */
export function judgeHosts(
  record: CoverageRecord,
  range: DayRange,
  asOf: number,
): { groups: readonly SourceGroup[]; hosts: HostDays[] } {
  const known = { ...record, intervals: record.intervals.filter((interval) => interval.from_at < asOf) }
  const groups = sourceGroups(known, range, asOf, endedBefore(known, asOf))
  const days = eachDay(range)
  const open = openDay(known, groups, range, asOf)
  const hosts = expectedHosts(known, groups, asOf).map(({ host, until }) => ({
    host,
    ...bestGroups(groups, host, days.length, open.holder(host)),
    expected_days: until === null ? days.length : Math.ceil((until - dayStart(range.from)) / DAY_MS),
  }))
  return { groups, hosts }
}

/** Whether one source covered every day of a range in full. The cost does not depend on the length of the range. */
export function isCoveredThroughout(
  record: Omit<CoverageRecord, 'sources'> & { source: CoverageSource },
  range: DayRange,
  asOf: number,
): boolean {
  const { source, ...others } = record
  const intervals = record.intervals.filter(({ source_id, from_at }) => source_id === source.id && from_at < asOf)
  const known = { ...others, sources: [source], intervals }
  const hosts = expectedHosts(known, sourceGroups(known, range, asOf), asOf)
  const isComplete = (days: DayRange, some: typeof hosts) => {
    const groups = sourceGroups(known, days, asOf)
    return some.every(({ host }) => groups.every((group) => group.isComplete(host)))
  }
  const ends = Map.groupBy(hosts, ({ until }) => until)
  return (
    hosts.length > 0 &&
    [...ends].every(([until, some]) => {
      const to = until === null ? range.to : utcDay(until - 1)
      return to < range.from || isComplete({ ...range, to }, some)
    })
  )
}

/** The group that has counted a host of the open day so far. */
export interface Holder {
  day_index: number
  /** Its index in the groups. */
  group: number
}

function openDay({ winners = [] }: CoverageRecord, groups: readonly SourceGroup[], range: DayRange, asOf: number) {
  const day = utcDay(asOf)
  const { today } = dayIndexesOf(range, asOf)
  const byHost = new Map(winners.filter((row) => row.day === day).map((row) => [row.host, row.source_id]))
  return {
    holder(host: string): Holder | null {
      const source_id = byHost.get(host)
      if (source_id === undefined) return null
      const group = groups.findIndex(({ source_ids }) => source_ids.includes(source_id))
      return group < 0 ? null : { day_index: today, group }
    },
  }
}

/** Uploads that ended before a day that has just begun; none later in the day, because then they are stale. */
function endedBefore(known: CoverageRecord, asOf: number): ReadonlySet<string> {
  return asOf - dayStart(utcDay(asOf)) < FRESH_MS ? endedUploads(known, asOf) : new Set()
}

/** The source that counts each expected host of the day that is open at `asOf`; hosts that none counts are left out. */
export function countOpenDay(record: CoverageRecord, asOf: number): { host: string; source_id: string }[] {
  const known = { ...record, intervals: record.intervals.filter((interval) => interval.from_at < asOf) }
  const range = { from: utcDay(asOf), to: utcDay(asOf) }
  const groups = sourceGroups(known, range, asOf, endedBefore(known, asOf))
  const open = openDay(known, groups, range, asOf)
  return expectedHosts(known, groups, asOf).flatMap(({ host }) => {
    const counting = groups[bestGroups(groups, host, 1, open.holder(host)).counting_groups[0] as number]
    return counting === undefined ? [] : [{ host, source_id: counting.lead_source_id }]
  })
}

/** For each day the best RANK of a host, and the index of the group that counts it, -1 for none. */
export function bestGroups(
  groups: readonly SourceGroup[],
  host: string,
  days: number,
  holder: Holder | null = null,
): { ranks: Uint8Array; counting_groups: Int16Array } {
  const ranks = new Uint8Array(days)
  const countingGroups = new Int16Array(days).fill(-1)
  if (holder !== null && holder.day_index < days) {
    const rank = (groups[holder.group] as SourceGroup).ranks(host)[holder.day_index] as number
    if (rank !== RANK.gap) {
      ranks[holder.day_index] = rank
      countingGroups[holder.day_index] = holder.group
    }
  }
  for (let index = 0; index < groups.length; index++) {
    const group = groups[index] as SourceGroup
    const ranks_of_group = group.ranks(host)
    for (let day = 0; day < days; day++) {
      const rank = ranks_of_group[day] as number
      if (rank < (ranks[day] as number) || rank === RANK.gap || countingGroups[day] === index) continue
      const counting = groups[countingGroups[day] as number]
      if (counting !== undefined && !isBetterCoverage(group, counting, host, day)) continue
      ranks[day] = rank
      countingGroups[day] = index
    }
  }
  return { ranks, counting_groups: countingGroups }
}
