/** Which source counts a host now, and which ones counted it before, computed from intervals, not days (rules 5). */
import { dayStart, utcDay } from '#days/utc-day.ts'
import { bestGroups } from '../coverage/choose-counting-source.ts'
import { type CoverageRecord, type Interval, type SourceGroup, sourceGroups } from '../coverage/source-groups.ts'

/** A source counts a host from this day on, until the next part of the chain. */
export interface ChainPart {
  /** The lead source of the group that counts the host. */
  lead_source_id: string
  from: string
}

/**
 * Returns a function that finds the chain of a host: the source that counts it now, from its first covered day on;
 * before that day the one that counted then, and so on. From its first day until the next part of the chain a source
 * counts alone, also days that only another one covered. Hosts with the same coverage share a chain.
 */
export function openChains(record: CoverageRecord, asOf: number): (hostname: string) => readonly ChainPart[] {
  const groupsOn = groupsByDay(record, asOf)
  const known = new Map<string, readonly ChainPart[]>()
  const numbers = new Map<readonly Interval[], number>()
  const numberOf = (intervals: readonly Interval[]) => {
    const number = numbers.get(intervals) ?? numbers.size
    numbers.set(intervals, number)
    return number
  }
  return (hostname) => {
    const all = groupsOn(utcDay(asOf))
    // Hosts with the same coverage share an array.
    const key = all.map((group) => numberOf(group.intervals(hostname))).join()
    const chain = known.get(key) ?? chainOf(all, hostname, asOf, groupsOn)
    known.set(key, chain)
    return chain
  }
}

function chainOf(
  all: readonly SourceGroup[],
  hostname: string,
  asOf: number,
  groupsOn: (day: string) => readonly SourceGroup[],
): ChainPart[] {
  const intervals = all.flatMap((group) => group.intervals(hostname))
  const chain: ChainPart[] = []
  for (let day = lastTouched(intervals, asOf); day !== null; ) {
    const groups = groupsOn(day)
    const group = groups[bestGroups(groups, hostname, 1).counting_groups[0] as number]
    let first = dayStart(day)
    if (group !== undefined) {
      for (const { from_at } of group.intervals(hostname)) first = Math.min(first, from_at)
      chain.unshift({ lead_source_id: group.lead_source_id, from: utcDay(first) })
    }
    day = lastTouched(intervals, dayStart(utcDay(first)))
  }
  return chain
}

/** The last day before an instant on which an interval covers any time. */
function lastTouched(intervals: readonly Interval[], before: number): string | null {
  let last = Number.NEGATIVE_INFINITY
  for (const { from_at, to_at } of intervals) {
    if (from_at < before && from_at < to_at) last = Math.max(last, Math.min(to_at, before) - 1)
  }
  return last === Number.NEGATIVE_INFINITY ? null : utcDay(last)
}

/** The groups of a day take as much memory as the site has intervals, so only a few days are cached. */
const MAX_CACHED_DAYS = 8

function groupsByDay(record: CoverageRecord, asOf: number): (day: string) => readonly SourceGroup[] {
  const made = new Map<string, SourceGroup[]>()
  return (day) => {
    const known = made.get(day)
    if (known !== undefined) return known
    const groups = sourceGroups(record, { from: day, to: day }, asOf)
    const [today, oldest] = made.keys()
    if (made.size >= MAX_CACHED_DAYS && today !== undefined) made.delete(oldest ?? today)
    made.set(day, groups)
    return groups
  }
}
