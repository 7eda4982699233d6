import { DAY_MS } from '#clock.ts'
import type { TimeRange } from './intervals.ts'
import { dayStart, utcDay } from './utc-day.ts'

/** Ranges cut at midnight, by UTC day. */
export function splitByDay(ranges: readonly TimeRange[]): Map<string, TimeRange[]> {
  const parts = new Map<string, TimeRange[]>()
  for (const { from, to } of ranges) {
    for (let at = from; at < to; ) {
      const day = utcDay(at)
      const end = Math.min(to, dayStart(day) + DAY_MS)
      const known = parts.get(day)
      if (known === undefined) parts.set(day, [{ from: at, to: end }])
      else known.push({ from: at, to: end })
      at = end
    }
  }
  return parts
}
