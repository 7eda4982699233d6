/** Calculates the remaining quotas from the rings (account API 5). */
import { HOUR_MS, MINUTE_MS } from '#clock.ts'
import { bucketsOf, HOUR_BUCKETS, HOURLY_LIMIT, MINUTE_BUCKETS, MONTHLY_LIMIT, type QuotaRings } from './rings.ts'

export interface QuotaWindow {
  limit: number
  remaining: number
  /** Epoch milliseconds at which the oldest counted bucket leaves; null while none is counted. */
  resets_at: number | null
}

export interface Quotas {
  hour: QuotaWindow
  thirty_days: QuotaWindow
}

/** Both windows at an instant. If the clock was set back, rings may be of a later minute, and are read unchanged. */
export function readQuotas(rings: QuotaRings | null, now: number): Quotas {
  const { minute, hour } = bucketsOf(now)
  return {
    hour: readWindow(rings === null ? null : { newest: rings.minute, counts: rings.minutes }, minute, {
      limit: HOURLY_LIMIT,
      buckets: MINUTE_BUCKETS,
      width_ms: MINUTE_MS,
    }),
    thirty_days: readWindow(rings === null ? null : { newest: rings.hour, counts: rings.hours }, hour, {
      limit: MONTHLY_LIMIT,
      buckets: HOUR_BUCKETS,
      width_ms: HOUR_MS,
    }),
  }
}

/** The full window that opens last; null: both have room. */
export function blockedWindow({ hour, thirty_days }: Quotas): QuotaWindow | null {
  const full = [hour, thirty_days].filter(({ remaining }) => remaining === 0)
  return full.sort((a, b) => Number(b.resets_at) - Number(a.resets_at))[0] ?? null
}

/** The state of a window. A full one has room again once its oldest counted bucket leaves. */
function readWindow(
  ring: { newest: number; counts: ArrayLike<number> } | null,
  current: number,
  { limit, buckets, width_ms }: { limit: number; buckets: number; width_ms: number },
): QuotaWindow {
  if (ring === null) return { limit, remaining: limit, resets_at: null }
  const first = ring.newest - buckets + 1
  let sum = 0
  let oldest: number | null = null
  // A plain loop: every request reads both rings.
  for (let at = Math.max(0, current - ring.newest); at < buckets; at++) {
    const count = Number(ring.counts[at])
    if (count > 0) oldest ??= first + at
    sum += count
  }
  return {
    limit,
    remaining: Math.max(0, limit - sum),
    resets_at: oldest === null ? null : (oldest + buckets) * width_ms,
  }
}
