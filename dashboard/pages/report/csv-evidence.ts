import type { BrandReport } from '../../../src/contract/account-api/index.ts'

/** The metadata of a report, for the first columns of a file. */
export const evidenceOf = ({ as_of, window, runs }: BrandReport['meta']): [string, string | number][] => [
  ['as_of', as_of],
  ['window_from', window.from],
  ['window_to', window.to],
  ['runs_answered', runs.answered],
  ['runs_refused', runs.refused],
  ['runs_failed', runs.failed],
  ['runs_scheduled_not_run', runs.scheduled_not_run],
]
