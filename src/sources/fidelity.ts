/** How exactly a source reports pages and statuses, and its sampling (spec 2.3, 2.4). */
import type { Fidelity } from '#contract/vocabulary.ts'
import type { CoverageIntervalRow, SourceRow } from '#control/tables.ts'

/** `unavailable`: no record has had a status (rules 3). No source reports classes of statuses (`grouped`). */
export function statusFidelity({ has_statuses }: Pick<SourceRow, 'has_statuses'>): Fidelity {
  return has_statuses === 1 ? 'exact' : 'unavailable'
}

/** Without these fields of a zone, its requests are of no certain page. */
const PAGE_FIELDS = ['clientRequestHTTPHost', 'clientRequestPath']

/** Whether requests of a zone name their pages, by the fields that its plan refuses (a JSON array). */
export function namesPages(refused_fields: string): boolean {
  const refused: string[] = JSON.parse(refused_fields)
  return !PAGE_FIELDS.some((field) => refused.includes(field))
}

/** The lowest share of sampled requests; null: always all of them. */
export function lowestSampling(intervals: readonly Partial<Pick<CoverageIntervalRow, 'sampling'>>[]): number | null {
  let lowest: number | null = null
  for (const { sampling } of intervals) {
    if (typeof sampling === 'number' && sampling < 1 && (lowest === null || sampling < lowest)) lowest = sampling
  }
  return lowest
}
