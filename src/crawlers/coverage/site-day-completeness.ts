/** How completely a day of a site was covered: as completely as its worst expected host (rules 3, Hosts). */
import { RANK } from './host-day-completeness.ts'

export type DayState = 'complete' | 'partial' | 'gap'

/** A day has the state of its worst expected host; it is a gap only if no source covered any of them (rules 3). */
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
  /** The number of days, from the first one, on which the host is expected; left out: all. */
  expected_days?: number
}
