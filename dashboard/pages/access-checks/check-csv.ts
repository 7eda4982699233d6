import type { AccessCheck } from '../../../src/contract/site-api/index.ts'
import { csvText } from '../../tables/csv.ts'
import type { Verdict } from './verdicts.tsx'

/** The verdicts with the API's field names; when and as whom the check was made stands in the first columns. */
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
