/** The hours of a zone that a poll reads, in order (decisions 3.7). */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#clock.ts'
import type { FailedHourRow, HourReadingRow, ZoneRow } from '#control/tables.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'

/** An hour is read at the earliest this long after its end. */
export const READ_DELAY_MS = 5 * MINUTE_MS
const REREAD_HOURS = 3

export interface DueHours {
  /** Those of the last three hours that were not read since the newest one ended; a poll must read them. */
  recent: number[]
  /** Older unread hours, of the backfill and of outages, newest first. Failed ones wait for their next attempt. */
  missing: number[]
  /** Those of both lists that failed before. */
  failed_before: ReadonlySet<number>
}

/** The end of the newest hour that may be read. */
export function readableEnd(now: number): number {
  return Math.floor((now - READ_DELAY_MS) / HOUR_MS) * HOUR_MS
}

/** `readings`: those of the zone. Hours before the provider's history or the site's retention stay gaps. */
export function dueHours(
  zone: Pick<ZoneRow, 'read_from' | 'not_older_than_ms'>,
  readings: readonly Pick<HourReadingRow, 'hour' | 'read_at'>[],
  failed: readonly Pick<FailedHourRow, 'hour' | 'next_try_at'>[],
  retention_days: number,
  now: number,
): DueHours {
  const end = readableEnd(now)
  const answered = Math.ceil((now - zone.not_older_than_ms + READ_DELAY_MS) / HOUR_MS) * HOUR_MS
  const kept = dayStart(utcDay(now - retention_days * DAY_MS))
  const first = Math.max(zone.read_from, answered, kept)
  const readAt = new Map(readings.map(({ hour, read_at }) => [hour, read_at]))
  const next_try = new Map(failed.map(({ hour, next_try_at }) => [hour, next_try_at]))
  const isDue = (hour: number) => (next_try.get(hour) ?? now) <= now
  const due: DueHours = { recent: [], missing: [], failed_before: new Set(next_try.keys()) }
  for (let hour = end - HOUR_MS; hour >= first; hour -= HOUR_MS) {
    const at = readAt.get(hour)
    if (hour >= end - REREAD_HOURS * HOUR_MS) {
      if (at === undefined || at < end + READ_DELAY_MS) due.recent.push(hour)
    } else if (at === undefined && isDue(hour)) due.missing.push(hour)
  }
  return due
}
