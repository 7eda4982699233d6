/** Coverage of a host by its counting sources; other sources prove nothing (rules 8.1, Vantage; 8.2, shadows). */
import { DAY_MS } from '#clock.ts'
import { daysCountedBy } from '#crawlers/coverage/counting-slices.ts'
import type { SourceGroup } from '#crawlers/coverage/source-groups.ts'
import { intersection, type TimeRange, union } from '#days/intervals.ts'
import { dayStart } from '#days/utc-day.ts'
import type { DayRange } from '#days/windows.ts'
import type { DetectionScope } from './detection-scope.ts'

type Scope = Pick<DetectionScope, 'scope' | 'groups' | 'edge_source_ids' | 'first_day'>

/**
 * Time ranges in which the counting sources of this vantage covered the host completely; disjoint and ascending, epoch
 * milliseconds.
 */
export function completeCoverage(
  detection: Scope,
  { host, vantage }: { host: string; vantage: 'edge' | 'origin' },
): TimeRange[] {
  const edge = new Set(detection.edge_source_ids)
  const groups = detection.groups.filter(({ source_ids }) =>
    source_ids.some((id) => edge.has(id) === (vantage === 'edge')),
  )
  return union(groups.flatMap((group) => intersection(group.complete(host), countedTime(detection, group, host))))
}

/** Whether a counting source of the host was sampled on some of these days. */
export function isSampled(detection: Scope, host: string, days: DayRange): boolean {
  const indexOf = (day: string) => Math.max(0, Math.round((dayStart(day) - dayStart(detection.first_day)) / DAY_MS))
  return detection.groups.some((group) => {
    const sampled = group.sampled(host)
    return daysCountedBy(detection.scope.slices, group, host).some(({ from, to }) => {
      const first = from > days.from ? from : days.from
      const last = to < days.to ? to : days.to
      return first <= last && sampled.subarray(indexOf(first), indexOf(last) + 1).includes(1)
    })
  })
}

const countedTime = ({ scope }: Scope, group: SourceGroup, host: string): TimeRange[] =>
  union(
    daysCountedBy(scope.slices, group, host).map(({ from, to }) => ({
      from: dayStart(from),
      to: dayStart(to) + DAY_MS,
    })),
  )
