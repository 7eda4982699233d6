import type { AccessCheck } from '../../../src/contract/site-api/index.ts'
import { csvText } from '../../tables/csv.ts'
import type { Verdict } from './verdicts.tsx'

/** The verdicts with the API's field names. The first columns have the time and the user agent of the check. */
export const checkCsv = (check: AccessCheck, rows: readonly Verdict[]): string =>
  csvText([
    [
      'checked_at',
      'normalized_url',
      'agent',
      'crawler_id',
      'decision',
      'line',
      'rule',
      'group',
      'last_observed_at',
      'last_status',
    ],
    ...rows.map(({ crawler_id, decision, line, rule, group, last }) => [
      ...[check.checked_at, check.normalized_url, check.agent],
      ...[crawler_id, decision, line, rule, group],
      ...[last?.last_observed_at ?? null, last?.last_status ?? null],
    ]),
  ])
