/** Which assigned source counts which host on which day, and how completely it covered it (decisions 3.8, rules 5). */
import { DAY_MS } from '#clock.ts'
import type { AuthorityInterruptionRow } from '#control/tables.ts'
import { dayStart } from '#days/utc-day.ts'
import { type DayRange, eachDay } from '#days/windows.ts'
import type { CountedDays } from '../coverage/choose-counting-source.ts'
import type { CountingSlice } from '../coverage/counting-slices.ts'
import { RANK } from '../coverage/host-day-completeness.ts'
import { statesOf } from '../coverage/site-day-completeness.ts'
import type { SourceGroup } from '../coverage/source-groups.ts'
import type { Assignment, Authority } from './read-authority.ts'

/** An assignment and the days on which it is in force: until the next one of its host. */
export interface AssignmentPeriod {
  assignment: Assignment
  /** Indexes of its days in the range, `from` inclusive, `to` exclusive. */
  from: number
  to: number
  /** The group that counts the host; undefined for a source without evidence. */
  group: SourceGroup | undefined
  interruptions: AuthorityInterruptionRow[]
}

/** A host that has assignments, and how its assigned source covered it: a RANK for each day of the range. */
export interface AssignedHost {
  hostname: string
  /** The first day of its first assignment, in the range or not. */
  first_day: string
  periods: AssignmentPeriod[]
  ranks: Uint8Array
}

/** Every assigned host, by name. A day without assignment, or interrupted, is a gap of its host. */
export function assignedHosts(
  { assignments, interruptions }: Authority,
  groups: readonly SourceGroup[],
  range: DayRange,
): AssignedHost[] {
  const days = eachDay(range).length
  const first = dayStart(range.from)
  const day_index = (at: number) => Math.min(days, Math.max(0, (at - first) / DAY_MS))
  return [...Map.groupBy(assignments, ({ hostname }) => hostname)].map(([hostname, chain]) => {
    const ranks = new Uint8Array(days)
    const periods = chain.map((assignment, at): AssignmentPeriod => {
      const next = chain[at + 1]
      const { source_id } = assignment.revision
      const group = groups.find(({ source_ids }) => source_ids.includes(source_id))
      const from = day_index(dayStart(assignment.effective_day))
      const to = next === undefined ? days : day_index(dayStart(next.effective_day))
      const breaks = interruptions.filter((row) => row.source_id === source_id)
      if (group !== undefined) {
        ranks.set(group.ranks(hostname).subarray(from, to), from)
        for (const { effective_at, ends_at } of breaks) {
          const end = ends_at === null ? to : Math.min(to, day_index(ends_at))
          ranks.fill(RANK.gap, Math.max(from, day_index(effective_at)), Math.max(from, end))
        }
      }
      return { assignment, from, to, group, interruptions: breaks }
    })
    return { hostname, first_day: (chain[0] as Assignment).effective_day, periods, ranks }
  })
}

/** The states of days over all assigned hosts, and the slices of evidence that count. */
export function countAssigned(hosts: readonly AssignedHost[], range: DayRange): CountedDays {
  const days = eachDay(range)
  return {
    states: statesOf(hosts, days),
    slices: slicesOf(hosts, range),
    ranks: (host) => hosts.find(({ hostname }) => hostname === host)?.ranks ?? new Uint8Array(days.length),
  }
}

/** Groups hosts that the same sources count on the same days into a slice. */
function slicesOf(hosts: readonly AssignedHost[], range: DayRange): CountingSlice[] {
  const days = eachDay(range)
  const slices = new Map<string, CountingSlice & { hosts: { only: string[] } }>()
  for (const { hostname, periods, ranks } of hosts) {
    for (const { group, from, to } of periods) {
      if (group === undefined) continue
      const counted = countedRanges(ranks, from, to, days)
      if (counted.length === 0) continue
      const slice = { days: counted, source_ids: group.source_ids }
      const key = JSON.stringify(slice)
      const known = slices.get(key)
      if (known === undefined) slices.set(key, { ...slice, hosts: { only: [hostname] } })
      else known.hosts.only.push(hostname)
    }
  }
  return [...slices.values()]
}

/** The ranges of days from index `from` to before `to` that are not gaps. */
function countedRanges(ranks: Uint8Array, from: number, to: number, days: readonly string[]): DayRange[] {
  const ranges: DayRange[] = []
  for (let at = from; at < to; at++) {
    if (ranks[at] === RANK.gap) continue
    const begin = at
    while (at + 1 < to && ranks[at + 1] !== RANK.gap) at++
    ranges.push({ from: days[begin] as string, to: days[at] as string })
  }
  return ranges
}
