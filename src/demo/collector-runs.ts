/** The times in which the collector of a seeded site was up. */
import { DAY_MS, HOUR_MS } from '#clock.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'

/** It was down for a morning, so many days before the end: coverage shows it. */
const OUTAGE_DAYS_BACK = 9
const OUTAGE = { from: 8 * HOUR_MS, to: 12 * HOUR_MS }

/** The runs between two instants, in order. */
export function collectorRuns(from: number, to: number): { from: number; to: number }[] {
  const day = dayStart(utcDay(to - OUTAGE_DAYS_BACK * DAY_MS))
  const outage = { from: day + OUTAGE.from, to: day + OUTAGE.to }
  return outage.from > from
    ? [
        { from, to: outage.from },
        { from: outage.to, to },
      ]
    : [{ from, to }]
}
