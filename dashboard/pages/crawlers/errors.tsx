import type { DailyBreakdown } from '../../../src/contract/dashboard-api/index.ts'
import type { Crawler } from '../../../src/contract/site-api/index.ts'
import { Value } from '../../evidence/value.tsx'
import type { Column } from '../../tables/table-types.ts'
import { isFailure } from '../../words/outcomes.ts'

type Errors = ReadonlyMap<string, number>

/** Requests of each crawler that were answered 4xx or 5xx; null where no source covered the window. */
export function errorsByCrawler({ observed_request_count: total, crawler_outcomes }: DailyBreakdown): Errors | null {
  if (total === null) return null
  const errors = new Map<string, number>()
  for (const { crawler_id, outcome, observed_request_count } of crawler_outcomes) {
    const before = errors.get(crawler_id) ?? NONE
    errors.set(crawler_id, isFailure(outcome) ? before + observed_request_count : before)
  }
  return errors
}
const NONE = 0

/** `errors` is undefined while it is read, and null if it is unknown. */
export function errorsColumn(errors: Errors | null | undefined): Column<Crawler> {
  const errorsOf = ({ crawler_id }: Crawler) => errors?.get(crawler_id) ?? null
  return {
    key: 'errors',
    head: 'Errors',
    is_number: true,
    sort: errorsOf,
    csv: { name: 'error_count', value: errorsOf },
    cell: (row) =>
      errors === undefined ? <span className="skeleton inline-block h-6 w-16" /> : <Value value={errorsOf(row)} />,
  }
}
