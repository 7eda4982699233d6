/** How much of an hour the provider looked at: the least that it did of any group, and what counts (decisions 3.7). */
import type { Group } from './request-groups.ts'

/** The longest sampling interval of groups, of human ones too: a crawler that is missing in a sample proves nothing. */
export const longestInterval = (groups: readonly Group[]): number =>
  groups.reduce((most, { avg }) => Math.max(most, avg.sampleInterval), 1)

/** The lowest share of requests that was looked at; null: all of them. */
export const samplingOf = (longest: number): number | null => (longest > 1 ? 1 / longest : null)

/** How many requests the provider really looked at: what counts; its own count is an estimate from them (rules 4). */
export function sampledNumber({ count, avg, confidence }: Group): number {
  if (avg.sampleInterval <= 1) return count
  const seen = confidence?.count.sampleSize
  return seen !== undefined && seen > 0 ? seen : Math.max(1, Math.round(count / avg.sampleInterval))
}
