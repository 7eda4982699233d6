/** How completely each day of a range was covered, from ranges of covered time (rules 3). */
import { DAY_MS, HOUR_MS } from '#clock.ts'
import { overlap, type TimeRange } from '#days/intervals.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import type { DayRange } from '#days/windows.ts'

/** How completely a day was covered; the greater, the better. */
export const RANK = { gap: 0, partial: 1, complete: 2 } as const

/** The open day counts as complete so far while the last report of a source is less than this long ago (rules 3). */
export const FRESH_MS = 2 * HOUR_MS

/** The time that any observer covered, and the time that all expected observers covered in full. */
export interface HostCoverage {
  any: TimeRange[]
  complete: TimeRange[]
}

/** The days of a range by their index in it. */
export interface DayIndexes {
  /** The first day, in days since the epoch. */
  first: number
  count: number
  today: number
  as_of: number
}

/** The indexes of the days of a range at `asOf`. */
export function dayIndexesOf(range: DayRange, asOf: number): DayIndexes {
  const first = dayStart(range.from) / DAY_MS
  const today = Math.floor(asOf / DAY_MS) - first
  return { first, count: dayStart(range.to) / DAY_MS - first + 1, today, as_of: asOf }
}

/** A RANK for each day of the range; `through` is the last report of the source. */
export function dayRanks(
  { any, complete }: HostCoverage,
  through: number | null,
  { first, count, today, as_of }: DayIndexes,
): Uint8Array {
  const ranks = new Uint8Array(count)
  const mark = (from: number, to: number, rank: number) => ranks.fill(rank, Math.max(0, from), Math.max(0, to))
  for (const { from, to } of any) {
    mark(Math.floor(from / DAY_MS) - first, Math.ceil(Math.min(to, as_of) / DAY_MS) - first, RANK.partial)
  }
  for (const { from, to } of complete) {
    mark(Math.ceil(from / DAY_MS) - first, Math.min(Math.floor(to / DAY_MS) - first, today), RANK.complete)
  }
  if (isCoveredToday({ any, complete }, through, as_of)) mark(today, today + 1, RANK.complete)
  return ranks
}

/** Whether `dayRanks` would give every day RANK.complete, without a loop over the days. */
export function isEveryDayComplete(
  coverage: HostCoverage,
  through: number | null,
  { first, count, today, as_of }: DayIndexes,
): boolean {
  if (first + count - 1 > first + today) return false
  const closed = { from: first * DAY_MS, to: (first + Math.min(count, today)) * DAY_MS }
  if (closed.from < closed.to && overlap(coverage.complete, closed) !== 'inside') return false
  return count <= today || isCoveredToday(coverage, through, as_of)
}

/** 1 for each day with sampled time. */
export function sampledDays(sampled: readonly TimeRange[], { first, count }: DayIndexes): Uint8Array {
  const days = new Uint8Array(count)
  for (const { from, to } of sampled) {
    days.fill(1, Math.max(0, Math.floor(from / DAY_MS) - first), Math.max(0, Math.ceil(to / DAY_MS) - first))
  }
  return days
}

/** How long each day was covered, up to `as_of`, in milliseconds. The ranges must be disjoint. */
export function coveredTime(ranges: readonly TimeRange[], { first, count, as_of }: DayIndexes): Float64Array {
  const covered = new Float64Array(count)
  for (const { from, to } of ranges) {
    const end = Math.min(to, as_of)
    for (let day = Math.max(0, Math.floor(from / DAY_MS) - first); day < count; day++) {
      const start = (first + day) * DAY_MS
      if (start >= end) break
      covered[day] = (covered[day] as number) + Math.min(end, start + DAY_MS) - Math.max(from, start)
    }
  }
  return covered
}

/**
 * Today is complete so far while the source is fresh and has missed nothing of it (rules 3). A source that has reported
 * only until before midnight has missed nothing yet, however completely it covered yesterday.
 */
function isCoveredToday({ any, complete }: HostCoverage, through: number | null, asOf: number): boolean {
  if (through === null || asOf - through >= FRESH_MS) return false
  const midnight = dayStart(utcDay(asOf))
  if (through > midnight) return overlap(complete, { from: midnight, to: through }) === 'inside'
  return overlap(any, { from: through - 1, to: through }) === 'inside'
}
