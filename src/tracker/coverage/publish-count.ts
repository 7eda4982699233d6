import type { TrackerReading } from './reading.ts'

/** A published count: null when no day of the window can carry a number, else the observed one, zero included. */
export function publishCount(reading: Pick<TrackerReading, 'has_evidence'>, n: number): number | null {
  return reading.has_evidence ? n : null
}
