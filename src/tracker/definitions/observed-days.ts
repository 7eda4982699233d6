import type { TrackerReading } from '../coverage/reading.ts'
import { type EffectivePeriod, isInForceOn } from './in-force.ts'

/** Days with numbers on which any of these definitions counts, ascending; on no other day is nothing a zero. */
export const daysObserved = (
  { days }: Pick<TrackerReading, 'days'>,
  definitions: readonly EffectivePeriod[],
): string[] =>
  [...days]
    .filter(([, { is_counted }]) => is_counted)
    .map(([day]) => day)
    .filter((day) => definitions.some((one) => isInForceOn(one, day)))
