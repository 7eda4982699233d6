import { DAY_MS } from '#clock.ts'
import { dayStart } from '#days/utc-day.ts'

/** From when to when a revision counts, epoch milliseconds; null for as long as there is no end. */
export interface EffectivePeriod {
  effective_from: number
  effective_to: number | null
}

/** Whether a revision counts at any instant of [from, to), epoch milliseconds. */
export const isEffectiveWithin = (
  { effective_from, effective_to }: EffectivePeriod,
  { from, to }: { from: number; to: number },
): boolean => effective_from < to && (effective_to === null || effective_to > from) && effective_from !== effective_to

/** The same for a UTC day. */
export const isInForceOn = (revision: EffectivePeriod, day: string): boolean =>
  isEffectiveWithin(revision, { from: dayStart(day), to: dayStart(day) + DAY_MS })
