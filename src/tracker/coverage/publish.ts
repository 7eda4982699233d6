import type { TrackerReading } from './reading.ts'

/** A count as the answer shows it: null when no day of the window can carry a number, else what was observed, zero included. */
export function publishCount(reading: Pick<TrackerReading, 'has_evidence'>, n: number): number | null {
  return reading.has_evidence ? n : null
}
