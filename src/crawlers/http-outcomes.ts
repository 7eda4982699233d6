/** Folds statuses into outcome classes, for every crawler answer that lists them (spec 2.5 Outcome). */
import type { Outcome } from '#contract/site-api/index.ts'
import { OBSERVED_OUTCOMES, type OutcomeClass } from '#contract/vocabulary.ts'

/** Requests with one status; 0: the response was not observed. */
interface StatusCount {
  status: number
  counted: number
}

/** One outcome per class that occurs, in the order of the vocabulary; statuses keep the order of the rows. */
export function foldOutcomes(counts: readonly StatusCount[]): Outcome[] {
  const observed = OBSERVED_OUTCOMES.flatMap((outcome): Outcome[] => {
    const members = counts.filter((row) => outcomeOf(row.status) === outcome)
    const statuses = members.map((row) => ({ http_status: row.status, observed_request_count: row.counted }))
    const observed_request_count = members.reduce((total, row) => total + row.counted, 0)
    return members.length === 0 ? [] : [{ outcome, observed_request_count, statuses }]
  })
  const unobserved = counts.filter((row) => row.status === 0).map((row) => row.counted)
  return [
    ...observed,
    ...unobserved.map(
      (count): Outcome => ({
        outcome: 'response_unobserved',
        observed_request_count: count,
        statuses: [{ http_status: null, observed_request_count: count }],
      }),
    ),
  ]
}

/** Facts have the status 0 if the response was not observed; it is never folded into 2xx (spec 2.5). */
export function outcomeOf(status: number): OutcomeClass {
  if (status === 0) return 'response_unobserved'
  if (status >= 200 && status < 300) return '2xx'
  if (status >= 300 && status < 400) return '3xx'
  if (status >= 400 && status < 500) return '4xx'
  if (status >= 500 && status < 600) return '5xx'
  return 'other'
}
