/** Minutes, days and their names. */
import type { Minute } from './events.ts'

export const HOUR = 60
export const DAY = 24 * HOUR

/** Days since 1970. */
export const dayOf = (at: Minute) => Math.floor(at / DAY)
export const startOf = (day: number) => day * DAY
/** `2026-03-01` */
export const dayName = (day: number) => instant(startOf(day)).slice(0, 10)
/** `2026-03-01T00:00:00.000Z` */
export const instant = (at: Minute) => new Date(at * 60_000).toISOString()
export const minute = (text: string): Minute => Date.parse(text) / 60_000
export const dayNamed = (name: string) => dayOf(minute(`${name}T00:00:00Z`))
