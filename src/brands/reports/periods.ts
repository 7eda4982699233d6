/** The periods of a series: days, weeks from Monday or months, cut off at the ends of the window (account API 1). */
import { DAY_MS } from '#clock.ts'
import type { ReportInterval } from '#contract/vocabulary.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { type DayRange, eachDay } from '#days/windows.ts'

/** Ascending, without overlap; together they are the window. */
export function periodsOf(window: DayRange, interval: ReportInterval): DayRange[] {
  const periods: DayRange[] = []
  for (const day of eachDay(window)) {
    const open = periods.at(-1)
    if (open === undefined || beginsPeriod(day, interval)) periods.push({ from: day, to: day })
    else open.to = day
  }
  return periods
}

function beginsPeriod(day: string, interval: ReportInterval): boolean {
  if (interval === 'day') return true
  return interval === 'month' ? day.endsWith('-01') : new Date(dayStart(day)).getUTCDay() === MONDAY
}

const MONDAY = 1

/** The window of the same length directly before. */
export function windowBefore({ from, to }: DayRange): DayRange {
  const length = dayStart(to) - dayStart(from)
  const last = dayStart(from) - DAY_MS
  return { from: utcDay(last - length), to: utcDay(last) }
}
