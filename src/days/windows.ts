import { DAY_MS } from '#clock.ts'
import { dayStart, utcDay } from './utc-day.ts'

/** A run of UTC days, both ends inclusive, as `YYYY-MM-DD` (spec 2.2). */
export interface DayRange {
  from: string
  to: string
}

/** `Nd` is today by the service clock and the N-1 days before it (rules 1). */
export function windowDays(window: string, asOf: number): DayRange {
  const length = Number.parseInt(window, 10)
  return { from: utcDay(asOf - (length - 1) * DAY_MS), to: utcDay(asOf) }
}

/** Every day of a range, ascending. */
export function eachDay(range: DayRange): string[] {
  const days: string[] = []
  for (let at = dayStart(range.from); at <= dayStart(range.to); at += DAY_MS) days.push(utcDay(at))
  return days
}

/** Maximal, disjoint, ascending ranges out of ascending days. */
export function dayRanges(days: readonly string[]): DayRange[] {
  const ranges: DayRange[] = []
  for (const day of days) {
    const open = ranges.at(-1)
    if (open !== undefined && dayStart(day) - dayStart(open.to) === DAY_MS) open.to = day
    else ranges.push({ from: day, to: day })
  }
  return ranges
}
