import { DAY_MS } from '#clock.ts'
import { dayStart } from '#days/utc-day.ts'

/** The period in which a revision counts, epoch milliseconds; `effective_to` is null while it is in force. */
export interface EffectivePeriod {
  effective_from: number
  effective_to: number | null
}

/** Whether a revision counts at any instant of [from, to), epoch milliseconds. */
export const isEffectiveWithin = (
  { effective_from, effective_to }: EffectivePeriod,
  { from, to }: { from: number; to: number },
): boolean => effective_from < to && (effective_to === null || effective_to > from) && effective_from !== effective_to

/** Whether a revision counts at any instant of a UTC day, `YYYY-MM-DD`. */
export const isInForceOn = (revision: EffectivePeriod, day: string): boolean =>
  isEffectiveWithin(revision, { from: dayStart(day), to: dayStart(day) + DAY_MS })
