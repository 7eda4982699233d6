/** Which evidence counts, as days and hosts of each source, to which statements are restricted (rules 3). */
import { type DayRange, dayRanges } from '#days/windows.ts'
import type { HostRanks } from './site-day-completeness.ts'
import type { SourceGroup } from './source-groups.ts'
import { EVERY_HOST, isWildcard, isWithin } from './wildcard-hosts.ts'

/** Days on which the evidence of these sources counts; `hosts` null means every host. */
export interface CountingSlice {
  /** Disjoint, ascending. */
  days: DayRange[]
  source_ids: string[]
  hosts: SliceHosts | null
}

/** A wildcard (`*.example.com`) among them includes every host below it that is not in `named`. */
type SliceHosts = ({ only: string[] } | { except: string[] }) & { named?: string[] }

export interface HostDays extends HostRanks {
  host: string
  /** The index of the group that counts it on each day, -1 for none. */
  counting_groups: Int16Array
}

/**
 * The slices of evidence that count on these days, each with all days on which the same groups count the same hosts.
 */
export function slicesOf(
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
    const ofAll = all === undefined ? -1 : (all.counting_groups[at] as number)
    const defaultGroup = ofAll >= 0 ? ofAll : bestGroup(hosts, at)
    if (changes[at] === 1 || defaultGroup !== before) {
      current = daySlices(groups, hosts, at, defaultGroup).map((slice) => {
        const key = JSON.stringify(slice)
        const known = found.get(key) ?? { ...slice, days: [], on: [] }
        found.set(key, known)
        return known
      })
    }
    before = defaultGroup
    for (const slice of current) slice.on.push(day)
  })
  return [...found.values()].map(({ on, ...slice }) => ({ ...slice, days: dayRanges(on) }))
}

/** 1 for each day on which another group counts some host than on the day before. */
function changedDays(hosts: readonly HostDays[], days: number): Uint8Array {
  const changed = new Uint8Array(days)
  changed[0] = 1
  for (const { counting_groups } of hosts) {
    for (let day = 1; day < days; day++) if (counting_groups[day] !== counting_groups[day - 1]) changed[day] = 1
  }
  return changed
}

/** If no group counts all hosts, the best group of the day counts the hosts in its evidence that no group declared. */
function bestGroup(hosts: readonly HostDays[], day: number): number {
  let best = -1
  let rank = 0
  for (const { ranks, counting_groups } of hosts) {
    const index = counting_groups[day] as number
    if (index < 0) continue
    const better = (ranks[day] as number) - rank
    if (better > 0 || (better === 0 && index < best)) {
      best = index
      rank = ranks[day] as number
    }
  }
  return best
}

/** A slice for all hosts of a day, and one for each other group that counts some hosts. */
function daySlices(
  groups: readonly SourceGroup[],
  hosts: readonly HostDays[],
  day: number,
  defaultGroup: number,
): Pick<CountingSlice, 'source_ids' | 'hosts'>[] {
  if (defaultGroup < 0) return []
  const others = Map.groupBy(
    hosts.filter(
      ({ counting_groups }) => (counting_groups[day] as number) >= 0 && counting_groups[day] !== defaultGroup,
    ),
    ({ counting_groups }) => counting_groups[day] as number,
  )
  const except = [...others.values()].flat().map((entry) => entry.host)
  // A wildcard does not include hosts that are judged by their own names.
  const names = except.some(isWildcard)
    ? { named: hosts.map(({ host }) => host).filter((host) => !isWildcard(host)) }
    : {}
  return [
    { source_ids: sourcesOf(groups, defaultGroup), hosts: except.length === 0 ? null : { except, ...names } },
    ...[...others].map(([index, entries]) => ({
      source_ids: sourcesOf(groups, index),
      hosts: { only: entries.map((entry) => entry.host), ...names },
    })),
  ]
}

/** The days, disjoint and ascending, on which evidence of these sources counts for a host. */
export function daysCountedBy(
  slices: readonly CountingSlice[],
  { source_ids }: Pick<SourceGroup, 'source_ids'>,
  host: string,
): DayRange[] {
  const own = slices.filter((slice) => slice.source_ids.some((id) => source_ids.includes(id)) && holdsHost(slice, host))
  return own.flatMap(({ days }) => days).sort((a, b) => (a.from < b.from ? -1 : 1))
}

function holdsHost({ hosts }: CountingSlice, host: string): boolean {
  if (hosts === null) return true
  const isAmong = (names: readonly string[]) =>
    names.includes(host) ||
    (hosts.named?.includes(host) !== true && names.some((name) => isWildcard(name) && isWithin(host, name)))
  return 'only' in hosts ? isAmong(hosts.only) : !isAmong(hosts.except)
}

function sourcesOf(groups: readonly SourceGroup[], index: number): string[] {
  return (groups[index] as SourceGroup).source_ids
}
