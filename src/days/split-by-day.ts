import { DAY_MS } from '#clock.ts'
import type { Stretch } from './intervals.ts'
import { dayStart, utcDay } from './utc-day.ts'

/** Stretches cut at midnight, by UTC day. */
export function partsByDay(stretches: readonly Stretch[]): Map<string, Stretch[]> {
  const parts = new Map<string, Stretch[]>()
  for (const { from, to } of stretches) {
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
