import type { Crawlers, Performance } from '../../../src/contract/site-api/index.ts'
import type { Purpose } from '../../../src/contract/vocabulary.ts'

/** Observed requests by purpose, added up from the crawlers' rows; null while they are read, or unknown. */
export function countsByPurpose(answer: Crawlers | undefined): ReadonlyMap<Purpose, number> | null {
  if (answer === undefined || answer.meta.coverage_state === 'unknown') return null
  const counts = new Map<Purpose, number>()
  for (const { purpose, observed_request_count } of answer.crawlers) {
    const before = counts.get(purpose)
    counts.set(purpose, before === undefined ? observed_request_count : before + observed_request_count)
  }
  return counts
}

/** What the filter leaves out, as the answer says it. */
export function hiddenByPurpose(answer: Performance | undefined): ReadonlyMap<Purpose, number> | null {
  if (answer === undefined || answer.meta.coverage_state === 'unknown') return null
  return new Map(
    answer.hidden_by_purpose_filter.map(({ purpose, observed_request_count }) => [purpose, observed_request_count]),
  )
}
