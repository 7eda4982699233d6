/** Which of two sources covered a day better (rules 3, Primary), apart from which one was connected first. */
import { HOUR_MS } from '#clock.ts'
import { RANK } from './host-day-completeness.ts'
import type { SourceGroup } from './source-groups.ts'

/** Two partial sources that differ by less are equally good, so that they do not alternate with each batch. */
const MIN_LEAD_MS = HOUR_MS

/**
 * True when `challenger` covered a host's day better than `holder`: complete before partial; of two partial ones
 * unsampled before sampled, one with observed minutes before one whose minutes are all declared, then an hour more.
 */
export function isBetterCoverage(
  challenger: SourceGroup,
  holder: SourceGroup,
  host: string,
  day_index: number,
): boolean {
  const at = (days: Readonly<Record<number, number>>) => days[day_index] as number
  const rank = at(challenger.ranks(host)) - at(holder.ranks(host))
  if (rank !== 0) return rank > 0
  if (at(holder.ranks(host)) !== RANK.partial) return false
  const sampled = at(holder.sampled(host)) - at(challenger.sampled(host))
  if (sampled !== 0) return sampled > 0
  const declared = at(holder.declared(host)) - at(challenger.declared(host))
  if (declared !== 0) return declared > 0
  return at(challenger.covered_ms(host)) - at(holder.covered_ms(host)) >= MIN_LEAD_MS
}
