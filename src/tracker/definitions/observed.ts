import { DAY_MS, dayStart } from '#clock.ts'
import type { TrackerReading } from '../coverage/reading.ts'
import { isInForce } from '../funnels/count-funnels.ts'

interface InForce {
  effective_from: number
  effective_to: number | null
}

/** The days of a window that carry numbers and on which any of these definitions counts, ascending; on no other is nothing a zero. */
export const daysObserved = ({ days }: Pick<TrackerReading, 'days'>, definitions: readonly InForce[]): string[] =>
  [...days]
    .filter(([, { state }]) => state !== 'gap')
    .map(([day]) => day)
    .filter((day) => definitions.some((one) => isInForce(one, { from: dayStart(day), to: dayStart(day) + DAY_MS })))
