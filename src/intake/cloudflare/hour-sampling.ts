/** The sampling of an hour: the lowest of its groups, and the sampled numbers, which count (decisions 3.7). */
import type { Group } from './request-groups.ts'

/** The longest sampling interval, including human groups, because a crawler may be missing in a sample. */
export const longestInterval = (groups: readonly Group[]): number =>
  groups.reduce((most, { avg }) => Math.max(most, avg.sampleInterval), 1)

/** The lowest share of sampled requests; null: all of them. */
export const samplingOf = (longest: number): number | null => (longest > 1 ? 1 / longest : null)

/** The number of sampled requests, which counts; the provider's own count is an estimate from it (rules 4). */
export function sampledNumber({ count, avg, confidence }: Group): number {
  if (avg.sampleInterval <= 1) return count
  const seen = confidence?.count.sampleSize
  return seen !== undefined && seen > 0 ? seen : Math.max(1, Math.round(count / avg.sampleInterval))
}
