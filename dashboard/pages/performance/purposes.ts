import type { Crawler, Crawlers, Meta, Performance } from '../../../src/contract/site-api/index.ts'
import { PURPOSES, type Purpose } from '../../../src/contract/vocabulary.ts'
import { provesZero } from '../../evidence/day.ts'

/** Requests by purpose; null: unknown. */
export type PurposeCounts = ReadonlyMap<Purpose, number | null>

/** Observed requests by purpose, added up from the crawlers' rows; null while they are read. */
export const countsByPurpose = (answer: Crawlers | undefined): PurposeCounts | null =>
  answer === undefined ? null : countsOf(answer.crawlers, answer.meta)

/** The requests that the filter leaves out, from the answer. */
export const hiddenByPurpose = (answer: Performance | undefined): PurposeCounts | null =>
  answer === undefined ? null : countsOf(answer.hidden_by_purpose_filter, answer.meta)

/** The counts by purpose. A purpose without a row is left out if the answer proves zero, otherwise it is null. */
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

/** The crawlers of an answer; null if it has no row and the evidence does not prove zero. */
export const knownCrawlers = ({ meta, crawlers }: Crawlers): readonly Crawler[] | null =>
  crawlers.length > 0 || provesZero(meta) ? crawlers : null

/** The sum of the rows; undefined while they are read. */
export function totalOfCrawlers(answer: Crawlers | undefined): number | null | undefined {
  return ofKnown(answer && knownCrawlers(answer), (rows) =>
    rows.reduce((sum, { observed_request_count }) => sum + observed_request_count, NONE),
  )
}

/** A number that is computed from rows; undefined while they are read, null if they are unknown. */
export const ofKnown = <Row>(
  rows: readonly Row[] | null | undefined,
  number: (rows: readonly Row[]) => number,
): number | null | undefined => (rows === null || rows === undefined ? rows : number(rows))

/** The text in place of a table whose rows are unknown. */
export const unknownWords = (what: string, { coverage_state }: Meta): string =>
  `${what} is unknown: ${coverage_state === 'unknown' ? 'no source covered this window' : 'this window is not watched in full'}.`
