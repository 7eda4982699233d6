import { describe, expect, test } from 'vitest'
import { HOUR_BUCKETS, HOURLY_LIMIT, MINUTE_BUCKETS, MONTHLY_LIMIT, type QuotaRings } from '#control/quotas/rings.ts'
import { blockedWindow, readQuotas } from '#control/quotas/windows.ts'

const NOW = Date.parse('2026-03-10T12:00:30Z')
const MINUTE = Math.floor(NOW / 60_000)
const HOUR = Math.floor(NOW / 3_600_000)

/** Rings whose buckets hold counts, given by how many buckets ago they are. */
function rings(minutes: Record<number, number>, hours: Record<number, number>, minute = MINUTE): QuotaRings {
  const fill = (length: number, counts: Record<number, number>) =>
    Array.from({ length }, (_, at) => counts[length - 1 - at] ?? 0)
  return { minute, minutes: fill(MINUTE_BUCKETS, minutes), hour: HOUR, hours: fill(HOUR_BUCKETS, hours) }
}

describe('what remains of the quotas (account API 5)', () => {
  test('nothing was counted', () => {
    expect(readQuotas(null, NOW)).toEqual({
      hour: { limit: HOURLY_LIMIT, remaining: HOURLY_LIMIT, resets_at: null },
      thirty_days: { limit: MONTHLY_LIMIT, remaining: MONTHLY_LIMIT, resets_at: null },
    })
  })

  test('the oldest counted bucket leaves when the current minute is 61 after it', () => {
    const { hour, thirty_days } = readQuotas(rings({ 0: 3, 60: 7 }, { 0: 10, 720: 5 }), NOW)
    expect(hour).toEqual({ limit: 1_000, remaining: 990, resets_at: (MINUTE + 1) * 60_000 })
    expect(thirty_days).toEqual({ limit: 100_000, remaining: 99_985, resets_at: (HOUR + 1) * 3_600_000 })
  })

  test('buckets that have left are not counted, although the rings were last written before', () => {
    const stale = rings({ 0: 4, 59: 6 }, { 0: 10 }, MINUTE - 2)
    expect(readQuotas(stale, NOW).hour).toEqual({
      limit: 1_000,
      remaining: 996,
      resets_at: (MINUTE - 2 + MINUTE_BUCKETS) * 60_000,
    })
  })

  test('of two full windows the one that opens later blocks', () => {
    const both = readQuotas(rings({ 0: 1_000 }, { 0: 100_000 }), NOW)
    expect(blockedWindow(both)).toBe(both.thirty_days)
    const soon = readQuotas(rings({ 0: 1_000 }, { 720: 100_000 }), NOW)
    // The 30 days open with the next hour, the hour 61 minutes after its only bucket.
    expect(blockedWindow(soon)).toBe(soon.hour)
    expect(blockedWindow(readQuotas(rings({ 0: 999 }, { 0: 999 }), NOW))).toBeNull()
  })
})
