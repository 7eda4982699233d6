/** Why time is still covered in part only: a limitation ends when a later delivery covers the time in full. */
import { intersection, overlap, type TimeRange } from '#days/intervals.ts'
import { wholeCoverage } from './observers.ts'
import { type Interval, intervalLimitations } from './source-groups.ts'
import { EVERY_HOST } from './wildcard-hosts.ts'

/** Limitations of these intervals within `spans` (disjoint and ascending), each once. */
export function remainingLimitations(intervals: readonly Interval[], spans: readonly TimeRange[]): Set<string> {
  const found = new Set<string>()
  const byObserver = Map.groupBy(intervals, ({ source_id, sender }) => JSON.stringify([source_id, sender ?? '']))
  for (const own of byObserver.values()) {
    const byHost = Map.groupBy(own, ({ host }) => host)
    const ofAll = byHost.get(EVERY_HOST) ?? []
    for (const [host, rows] of byHost) {
      const whole = wholeCoverage(host === EVERY_HOST ? ofAll : [...rows, ...ofAll])
      for (const row of rows) {
        const limitations = intervalLimitations(row)
        if (limitations.length === 0) continue
        const within = intersection([{ from: row.from_at, to: row.to_at }], spans)
        if (within.every((span) => overlap(whole, span) === 'inside')) continue
        for (const limitation of limitations) found.add(limitation)
      }
    }
  }
  return found
}
