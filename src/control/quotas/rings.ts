/** The limits of the quotas, and the counters for them (account API 5). */
import { HOUR_MS, MINUTE_MS } from '#clock.ts'

/** Limits of every account (spec 8). */
export const HOURLY_LIMIT = 1_000
export const MONTHLY_LIMIT = 100_000
/** The current minute and the 60 before it; the current hour and the 720 before it. */
export const MINUTE_BUCKETS = 61
export const HOUR_BUCKETS = 721

/** Counters of an account, the newest last. */
export interface QuotaRings {
  /** Number of the newest minute, counted from 1970. */
  minute: number
  minutes: ArrayLike<number>
  /** Number of the newest hour, counted from 1970. */
  hour: number
  hours: ArrayLike<number>
}

/** Numbers of the minute and the hour of an instant. */
export const bucketsOf = (now: number) => ({
  minute: Math.floor(now / MINUTE_MS),
  hour: Math.floor(now / HOUR_MS),
})
