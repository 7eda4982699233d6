/** The range of days of `from` and `to`, with its defaults and limits (account API 1). */
import { type Clock, DAY_MS } from '#clock.ts'
import type { ReportInterval } from '#contract/vocabulary.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import type { DayRange } from '#days/windows.ts'
import type { FieldFault } from './invalid-request.ts'

const DEFAULT_DAYS = 30

/**
 * The first day of which answers and search data are stored. The store's days begin in 1970, and it would keep earlier
 * ones as the first of them. Days before the year 2000 come from clocks that were never set.
 */
export const FIRST_STORED_DAY = '2000-01-01'

/** The current UTC day by the service clock. */
export const todayOf = (clock: Clock): string => utcDay(clock.now())

/** Null: a day that does not exist, or anything else. */
export function readDay(text: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null
  const at = dayStart(text)
  return !Number.isNaN(at) && utcDay(at) === text ? text : null
}

/** Adds the defaults of missing days (undefined). Both days must exist. */
export function resolveDays(from: string | undefined, to: string | undefined, today: string): DayRange {
  if (from !== undefined && to !== undefined) return { from, to }
  if (from !== undefined) return { from, to: earlier(addDays(from, DEFAULT_DAYS - 1), today) }
  const last = to ?? today
  return { from: addDays(last, 1 - DEFAULT_DAYS), to: last }
}

/** The faults of an existing day as the last day, whatever the first day is. */
export function* lastDayFaults(to: string, today: string): Generator<FieldFault> {
  if (to <= today) return
  const message = `to is ${to}, after today (${today}, UTC): give today or an earlier day.`
  yield { path: ['to'], code: 'future_date', message }
}

/** The faults of a range of existing days. */
export function* rangeFaults({ from, to }: DayRange, today: string, max_days: number): Generator<FieldFault> {
  yield* lastDayFaults(to, today)
  if (from > to) {
    yield { path: ['from'], code: 'invalid_range', message: `from is ${from}, after to (${to}): give an earlier day.` }
    return
  }
  const days = countDays({ from, to })
  if (days > max_days) {
    const message = `from and to are ${days} days apart, both counted; at most ${max_days} are allowed.`
    yield { path: ['from'], code: 'range_too_long', message }
  }
}

/** Days up to 31 days, weeks up to 120, months beyond. */
export function defaultInterval(range: DayRange): ReportInterval {
  const days = countDays(range)
  if (days <= 31) return 'day'
  return days <= 120 ? 'week' : 'month'
}

/** Both ends counted. */
const countDays = ({ from, to }: DayRange): number => (dayStart(to) - dayStart(from)) / DAY_MS + 1

const earlier = (a: string, b: string) => (a < b ? a : b)

/** Only the years 0 to 9999 have four digits; their first and last day stand for earlier and later days. */
function addDays(day: string, days: number): string {
  return utcDay(Math.min(Math.max(dayStart(day) + days * DAY_MS, FIRST_DAY), LAST_DAY))
}

const FIRST_DAY = dayStart('0000-01-01')
const LAST_DAY = dayStart('9999-12-31')
