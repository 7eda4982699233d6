/** Which evidence counts, as the days and hosts of each source: what statements are restricted to (rules 3). */
import { type DayRange, dayRanges } from '#days/windows.ts'
import type { HostRanks } from './site-day-completeness.ts'
import { EVERY_HOST, type SourceGroup } from './source-groups.ts'
import { isWildcard, isWithin } from './wildcard-hosts.ts'

/** Days on which the evidence of these sources counts; `hosts` null means every host. */
export interface CountingSlice {
  /** Disjoint, ascending. */
  days: DayRange[]
  source_ids: string[]
  hosts: SliceHosts | null
}

/** Wildcards (`*.example.com`) among them hold every host below that is not in `named`. */
type SliceHosts = ({ only: string[] } | { except: string[] }) & { named?: string[] }

export interface HostDays extends HostRanks {
  host: string
  /** The group that counts it on each day: its index, -1 for none. */
  by: Int16Array
}

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

/** The days, disjoint and ascending, on which a group's evidence of a host counts. */
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
