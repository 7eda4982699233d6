import type { TrackerReading } from './reading.ts'

/** The count to publish: null if no day of the window is counted, else the observed count, which may be zero. */
export function publishCount(reading: Pick<TrackerReading, 'has_evidence'>, n: number): number | null {
  return reading.has_evidence ? n : null
}

/**
 * The number of visits to publish: null if no counted day is proven by a browser, because events of servers prove no
 * visits (rules 6.6).
 */
export function publishVisits({ days }: Pick<TrackerReading, 'days'>, n: number): number | null {
  return [...days.values()].some(({ is_counted, is_proven }) => is_counted && is_proven) ? n : null
}
