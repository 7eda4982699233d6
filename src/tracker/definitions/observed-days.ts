import type { TrackerReading } from '../coverage/reading.ts'
import { type EffectivePeriod, isInForceOn } from './in-force.ts'

/** Counted days on which any of these definitions is in force, ascending. On other days a missing count is not zero. */
export const daysObserved = (
  { days }: Pick<TrackerReading, 'days'>,
  definitions: readonly EffectivePeriod[],
): string[] =>
  [...days]
    .filter(([, { is_counted }]) => is_counted)
    .map(([day]) => day)
    .filter((day) => definitions.some((one) => isInForceOn(one, day)))
