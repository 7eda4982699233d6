import type { TrackerReading } from './reading.ts'

/** The count to publish: null if no day of the window is counted, else the observed count, which may be zero. */
export function publishCount(reading: Pick<TrackerReading, 'has_evidence'>, n: number): number | null {
  return reading.has_evidence ? n : null
}
