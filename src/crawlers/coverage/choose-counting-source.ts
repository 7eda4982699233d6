/**
 * Which source counts which host on which day, and how completely each day was covered (rules 3). Per host and day
 * exactly one primary counts: better coverage first, then the one connected earlier; on the open day the one that
 * counted so far stays until it is worse.
 */

import { DAY_MS } from '#clock.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { type DayRange, dayRanges, eachDay } from '#days/windows.ts'
import { isBetterCoverage } from './better-coverage.ts'
import { dayIndexesOf, RANK } from './day-ranks.ts'
import { endedUploads } from './ended-uploads.ts'
import {
  type CoverageRecord,
  type CoverageSource,
  EVERY_HOST,
  isWildcard,
  type SourceGroup,
  sourceGroups,
} from './source-groups.ts'

export type DayState = 'complete' | 'partial' | 'gap'

/** Days on which the evidence of these sources counts; `hosts` null means every host. */
export interface CountingSlice {
  /** Disjoint, ascending. */
  days: DayRange[]
  source_ids: string[]
  hosts: SliceHosts | null
}

/** Wildcards (`*.example.com`) among them hold every host below that is not in `named`. */
type SliceHosts = ({ only: string[] } | { except: string[] }) & { named?: string[] }

export interface CountedDays {
  states: Map<string, DayState>
  slices: CountingSlice[]
}

/** Judges each day of a range. The sources of `record` are the primaries. Nothing after `asOf` counts as covered. */
export function countDays(record: CoverageRecord, range: DayRange, asOf: number): CountedDays {
  const { groups, hosts } = judgeHosts(record, range, asOf)
  const days = eachDay(range)
  return { states: statesOf(hosts, days), slices: slicesOf(groups, hosts, days) }
}

/** Each expected host with what counts it on each day of a range, and how well. */
export function judgeHosts(
  record: CoverageRecord,
  range: DayRange,
  asOf: number,
): { groups: readonly SourceGroup[]; hosts: HostDays[] } {
  const known = { ...record, intervals: record.intervals.filter((interval) => interval.from_at < asOf) }
  const groups = sourceGroups(known, range, asOf)
  const days = eachDay(range)
  const open = openDay(known, groups, range, asOf)
  const hosts = expectedHosts(known, groups, asOf).map(({ host, until }) => ({
    host,
    ...bestGroups(groups, host, days.length, open.holder(host)),
    expected_days: until === null ? days.length : Math.ceil((until - dayStart(range.from)) / DAY_MS),
  }))
  return { groups, hosts }
}

/** Whether one source covered every day of a range in full, at a cost that does not depend on the range's length. */
export function isCoveredThroughout(
  record: Omit<CoverageRecord, 'sources'> & { source: CoverageSource },
  range: DayRange,
  asOf: number,
): boolean {
  const { source, ...rest } = record
  const intervals = record.intervals.filter(({ source_id, from_at }) => source_id === source.id && from_at < asOf)
  const known = { ...rest, sources: [source], intervals }
  const groups = sourceGroups(known, range, asOf)
  const hosts = expectedHosts(known, groups, asOf)
  return hosts.length > 0 && hosts.every(({ host }) => groups.every((group) => group.isComplete(host)))
}

/** What counted a host of the open day so far. */
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

/** Which source counts each expected host of a day that is open at `asOf`: its index in the groups, -1 for none. */
export function countOpenDay(record: CoverageRecord, asOf: number): { host: string; source_id: string }[] {
  const known = { ...record, intervals: record.intervals.filter((interval) => interval.from_at < asOf) }
  const range = { from: utcDay(asOf), to: utcDay(asOf) }
  const groups = sourceGroups(known, range, asOf)
  const open = openDay(known, groups, range, asOf)
  return expectedHosts(known, groups, asOf).flatMap(({ host }) => {
    const counting = groups[bestGroups(groups, host, 1, open.holder(host)).by[0] as number]
    return counting === undefined ? [] : [{ host, source_id: counting.lead_source_id }]
  })
}

interface ExpectedHost {
  host: string
  /** End of the last day on which it is expected; null: it is expected on. */
  until: number | null
}

/**
 * Hosts that an interval belongs to; a zone's unproxied ones where anything else has ever covered them. One that only
 * uploads named which are primary no more is expected as long as these covered it.
 */
function expectedHosts(record: CoverageRecord, groups: readonly SourceGroup[], asOf: number): ExpectedHost[] {
  const ended = endedUploads(record, asOf)
  const until = new Map<string, number>()
  for (const { host, source_id, to_at } of record.intervals) {
    const end = ended.has(source_id) ? Math.ceil(to_at / DAY_MS) * DAY_MS : Number.POSITIVE_INFINITY
    until.set(host, Math.max(end, until.get(host) ?? end))
  }
  const elsewhere = record.zones
    .flatMap((zone) => zone.unproxied)
    .filter((host) => !until.has(host) && groups.some((group) => group.intervals(host).length > 0))
  for (const host of elsewhere) until.set(host, Number.POSITIVE_INFINITY)
  return [...until.keys()].sort().map((host) => {
    const end = until.get(host) as number
    return { host, until: Number.isFinite(end) ? end : null }
  })
}

/** For each day the best RANK of a host, and the group that counts it: its index in `groups`, -1 for none. */
export function bestGroups(
  groups: readonly SourceGroup[],
  host: string,
  days: number,
  holder: Holder | null = null,
): { ranks: Uint8Array; by: Int16Array } {
  const ranks = new Uint8Array(days)
  const by = new Int16Array(days).fill(-1)
  if (holder !== null && holder.day_index < days) {
    const rank = (groups[holder.group] as SourceGroup).ranks(host)[holder.day_index] as number
    if (rank !== RANK.gap) {
      ranks[holder.day_index] = rank
      by[holder.day_index] = holder.group
    }
  }
  for (let index = 0; index < groups.length; index++) {
    const group = groups[index] as SourceGroup
    const ranks_of_group = group.ranks(host)
    for (let day = 0; day < days; day++) {
      const rank = ranks_of_group[day] as number
      if (rank < (ranks[day] as number) || rank === RANK.gap || by[day] === index) continue
      const counting = groups[by[day] as number]
      if (counting !== undefined && !isBetterCoverage(group, counting, host, day)) continue
      ranks[day] = rank
      by[day] = index
    }
  }
  return { ranks, by }
}

/** A day is as bad as its worst expected host; a gap only when no source covered any of them (rules 3). */
export function statesOf(hosts: readonly HostRanks[], days: readonly string[]): Map<string, DayState> {
  const lowest = new Uint8Array(days.length).fill(RANK.complete)
  const highest = new Uint8Array(days.length)
  for (const { ranks, expected_days = days.length } of hosts) {
    for (let day = 0; day < Math.min(days.length, expected_days); day++) {
      const rank = ranks[day] as number
      if (rank < (lowest[day] as number)) lowest[day] = rank
      if (rank > (highest[day] as number)) highest[day] = rank
    }
  }
  const state = (at: number): DayState => {
    if (highest[at] === RANK.gap) return 'gap'
    return lowest[at] === RANK.complete ? 'complete' : 'partial'
  }
  return new Map(days.map((day, at) => [day, state(at)]))
}

/** A RANK for each day. */
export interface HostRanks {
  ranks: Uint8Array
  /** How many days, from the first, the host is expected on; left out, all of them. */
  expected_days?: number
}

export interface HostDays extends HostRanks {
  host: string
  /** The group that counts it on each day: its index, -1 for none. */
  by: Int16Array
}

function slicesOf(
  groups: readonly SourceGroup[],
  hosts: readonly HostDays[],
  days: readonly string[],
): CountingSlice[] {
  const found = new Map<string, CountingSlice & { on: string[] }>()
  let current: (CountingSlice & { on: string[] })[] = []
  const changes = changedDays(hosts, days.length)
  const all = hosts.find(({ host }) => host === EVERY_HOST)
  let before = -1
  days.forEach((day, at) => {
    const ofAll = all === undefined ? -1 : (all.by[at] as number)
    const rest = ofAll >= 0 ? ofAll : bestGroup(hosts, at)
    if (changes[at] === 1 || rest !== before) {
      current = daySlices(groups, hosts, at, rest).map((slice) => {
        const key = JSON.stringify(slice)
        const known = found.get(key) ?? { ...slice, days: [], on: [] }
        found.set(key, known)
        return known
      })
    }
    before = rest
    for (const slice of current) slice.on.push(day)
  })
  return [...found.values()].map(({ on, ...slice }) => ({ ...slice, days: dayRanges(on) }))
}

/** 1 on days on which some host is counted by another group than on the day before. */
function changedDays(hosts: readonly HostDays[], days: number): Uint8Array {
  const changed = new Uint8Array(days)
  changed[0] = 1
  for (const { by } of hosts) {
    for (let day = 1; day < days; day++) if (by[day] !== by[day - 1]) changed[day] = 1
  }
  return changed
}

/** Where no group counts all hosts, the best one of the day counts those of its evidence that no group declared. */
function bestGroup(hosts: readonly HostDays[], day: number): number {
  let best = -1
  let rank = 0
  for (const { ranks, by } of hosts) {
    const index = by[day] as number
    if (index < 0) continue
    const better = (ranks[day] as number) - rank
    if (better > 0 || (better === 0 && index < best)) {
      best = index
      rank = ranks[day] as number
    }
  }
  return best
}

/** One slice for all hosts of the day, and one for each other group that counts some. */
function daySlices(
  groups: readonly SourceGroup[],
  hosts: readonly HostDays[],
  day: number,
  rest: number,
): Pick<CountingSlice, 'source_ids' | 'hosts'>[] {
  if (rest < 0) return []
  const others = Map.groupBy(
    hosts.filter(({ by }) => (by[day] as number) >= 0 && by[day] !== rest),
    ({ by }) => by[day] as number,
  )
  const except = [...others.values()].flat().map((entry) => entry.host)
  // A host that is judged by its own name is not a wildcard's.
  const names = except.some(isWildcard)
    ? { named: hosts.map(({ host }) => host).filter((host) => !isWildcard(host)) }
    : {}
  return [
    { source_ids: sourcesOf(groups, rest), hosts: except.length === 0 ? null : { except, ...names } },
    ...[...others].map(([index, entries]) => ({
      source_ids: sourcesOf(groups, index),
      hosts: { only: entries.map((entry) => entry.host), ...names },
    })),
  ]
}

function sourcesOf(groups: readonly SourceGroup[], index: number): string[] {
  return (groups[index] as SourceGroup).source_ids
}
