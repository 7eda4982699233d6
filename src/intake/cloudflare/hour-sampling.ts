/** How much of an hour the provider looked at: the least that it did of any group (decisions 3.7). */
import type { Group } from './request-groups.ts'

/** The longest sampling interval of groups, of human ones too: a crawler that is missing in a sample proves nothing. */
export const longestInterval = (groups: readonly Group[]): number =>
  groups.reduce((most, { avg }) => Math.max(most, avg.sampleInterval), 1)

/** The lowest share of requests that was looked at; null: all of them. */
export const samplingOf = (longest: number): number | null => (longest > 1 ? 1 / longest : null)
