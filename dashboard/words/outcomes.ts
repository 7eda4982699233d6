import type { Outcome } from '../../src/contract/site-api/index.ts'
import type { OutcomeClass, PathClass } from '../../src/contract/vocabulary.ts'
import { fullCount } from './numbers.ts'

export const OUTCOME_WORDS: Record<OutcomeClass, string> = {
  '2xx': '2xx',
  '3xx': '3xx',
  '4xx': '4xx',
  '5xx': '5xx',
  other: 'Other',
  response_unobserved: 'Response unobserved',
}

/** Only failures have warm colours. */
export const OUTCOME_COLORS: Record<OutcomeClass, string> = {
  '2xx': 'var(--color-2xx)',
  '3xx': 'var(--color-3xx)',
  '4xx': 'var(--color-4xx)',
  '5xx': 'var(--color-5xx)',
  other: 'var(--color-panel)',
  response_unobserved: 'var(--color-panel)',
}

/** From the baseline up; unobserved responses are on top, outside of the classes. */
export const OUTCOME_STACK = ['2xx', '3xx', '4xx', '5xx', 'other', 'response_unobserved'] as const

export const PATH_CLASS_WORDS: Record<PathClass, string> = {
  content: 'Content',
  infrastructure: 'Infrastructure',
}

export const UNOBSERVED_RESPONSE_NOTE = 'The source saw the request but not its response, so it is in no status class.'

/** "200 1,204 · 403 12 · unobserved 3" */
export const statusesText = (outcomes: readonly Partial<Pick<Outcome, 'statuses'>>[]): string =>
  outcomes.flatMap(({ statuses = [] }) => statuses.map(statusText)).join(' · ')

/** "403 12" */
export const statusText = ({ http_status, observed_request_count }: Outcome['statuses'][number]): string =>
  `${http_status ?? 'unobserved'} ${fullCount(observed_request_count)}`

/** Classes of responses without usable content. */
const FAILURES: ReadonlySet<OutcomeClass> = new Set(['4xx', '5xx'])
export const isFailure = (outcome: OutcomeClass): boolean => FAILURES.has(outcome)

/** How many of these requests were answered 4xx or 5xx. */
export const failedOf = (statuses: readonly { http_status: number | null; observed_request_count: number }[]): number =>
  statuses.reduce(
    (sum, { http_status, observed_request_count }) =>
      http_status !== null && http_status >= 400 && http_status < 600 ? sum + observed_request_count : sum,
    0,
  )
