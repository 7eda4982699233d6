import { dayStart, utcDay } from '#days/utc-day.ts'

/** `YYYY-MM-DD.n`: the day of the review, and the number of the edition on that day, from 1 (decisions 3.3). */
export const VERSION_PATTERN = '^\\d{4}-\\d{2}-\\d{2}\\.[1-9]\\d{0,5}$'

/** Whether a text is a registry version: the shape above, with a day that exists. */
export function isVersion(text: string): boolean {
  if (!new RegExp(VERSION_PATTERN).test(text)) return false
  const day = text.slice(0, 10)
  const start = dayStart(day)
  return !Number.isNaN(start) && utcDay(start) === day
}

/**
 * Orders two registry versions, for `sort`: below zero when `a` is the older one, zero when they are the same.
 * The day decides, then the number as a number, so that `.10` comes after `.9` (decisions 3.3).
 */
export function compareVersions(a: string, b: string): number {
  const dayA = a.slice(0, 10)
  const dayB = b.slice(0, 10)
  if (dayA !== dayB) return dayA < dayB ? -1 : 1
  return Number(a.slice(11)) - Number(b.slice(11))
}
