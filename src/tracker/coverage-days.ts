import { instantOrNull, instantText } from '#clock.ts'
import type { TrackerCoverage, TrackerCoverageInput } from '#contract/dashboard-api/index.ts'
import type { TrackerContext } from './context.ts'
import { openTrackerReading } from './coverage/open-reading.ts'

/** The days of the overview's reading, as its charts draw them, also while its gate is closed (decisions 7.4). */
export async function readTrackerCoverage(
  ctx: TrackerContext,
  { window }: TrackerCoverageInput,
): Promise<TrackerCoverage> {
  const reading = await openTrackerReading(ctx, { window, include: [], reader: 'coverage' })
  const { as_of, range, measurement_state, data_through, freshness, operational, days } = reading
  return {
    as_of: instantText(as_of),
    window: { ...range },
    measurement_state,
    freshness,
    operational,
    data_through: instantOrNull(data_through),
    days: [...days].map(([date, { state, limitation }]) => ({ date, state, limitation })),
  }
}
