/** How exactly a source reports statuses and how much of the requests it looks at (spec 2.3, 2.4). */
import type { Fidelity } from '#contract/vocabulary.ts'
import type { CoverageIntervalRow, SourceRow } from '#control/tables.ts'

/** `unavailable` when no record ever had a status (rules 3). No source reports classes of statuses (`grouped`). */
export function statusFidelity({ has_statuses }: Pick<SourceRow, 'has_statuses'>): Fidelity {
  return has_statuses === 1 ? 'exact' : 'unavailable'
}

/** The lowest share of requests that was ever looked at; null when it was always all of them. */
export function lowestSampling(intervals: readonly Partial<Pick<CoverageIntervalRow, 'sampling'>>[]): number | null {
  let lowest: number | null = null
  for (const { sampling } of intervals) {
    if (typeof sampling === 'number' && sampling < 1 && (lowest === null || sampling < lowest)) lowest = sampling
  }
  return lowest
}
