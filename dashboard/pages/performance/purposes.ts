import type { Crawler, Crawlers, Meta, Performance } from '../../../src/contract/site-api/index.ts'
import { PURPOSES, type Purpose } from '../../../src/contract/vocabulary.ts'
import { provesZero } from '../../evidence/day.ts'

/** Requests by purpose; null: unknown. */
export type PurposeCounts = ReadonlyMap<Purpose, number | null>

/** Observed requests by purpose, added up from the crawlers' rows; null while they are read. */
export const countsByPurpose = (answer: Crawlers | undefined): PurposeCounts | null =>
  answer === undefined ? null : countsOf(answer.crawlers, answer.meta)

/** What the filter leaves out, as the answer says it. */
export const hiddenByPurpose = (answer: Performance | undefined): PurposeCounts | null =>
  answer === undefined ? null : countsOf(answer.hidden_by_purpose_filter, answer.meta)

/** A purpose without a row is left out where that says that it was not observed. */
function countsOf(rows: readonly { purpose: Purpose; observed_request_count: number }[], meta: Meta): PurposeCounts {
  const counts = new Map<Purpose, number | null>()
  for (const { purpose, observed_request_count } of rows) {
    counts.set(purpose, (counts.get(purpose) ?? NONE) + observed_request_count)
  }
  if (!provesZero(meta)) for (const purpose of PURPOSES) if (!counts.has(purpose)) counts.set(purpose, null)
  return counts
}
/** Before the first row is added. */
const NONE = 0

/** The number of crawlers in an answer; null when it has no row and the evidence does not prove zero. */
export const knownCrawlers = ({ meta, crawlers }: Crawlers): readonly Crawler[] | null =>
  crawlers.length > 0 || provesZero(meta) ? crawlers : null

/** What the rows add up to; undefined while they are read. */
export function totalOfCrawlers(answer: Crawlers | undefined): number | null | undefined {
  return ofKnown(answer && knownCrawlers(answer), (rows) =>
    rows.reduce((sum, { observed_request_count }) => sum + observed_request_count, NONE),
  )
}

/** A number of rows; what is not read yet, or unknown, stays so. */
export const ofKnown = <Row>(
  rows: readonly Row[] | null | undefined,
  number: (rows: readonly Row[]) => number,
): number | null | undefined => (rows === null || rows === undefined ? rows : number(rows))

/** In place of a table without rows that are unknown. */
export const unknownWords = (what: string, { coverage_state }: Meta): string =>
  `${what} is unknown: ${coverage_state === 'unknown' ? 'nothing was watched' : 'the time was not watched in full'}.`
