/** Words for the change of rates from the previous window, with the certainty that the service reports. */
import type { BrandReport } from '../../../src/contract/account-api/index.ts'
import { REASON_WORDS } from '../../words/brand.ts'
import { rateChangeText } from '../../words/numbers.ts'

type Comparison = NonNullable<BrandReport['comparison']>
export type ComparedMetric = keyof Comparison['verdicts']

/** "+6.1 points", "within noise", "not comparable: model changed"; null: nothing is compared. */
export function comparisonWords(
  metrics: BrandReport['metrics'],
  comparison: BrandReport['comparison'],
  metric: ComparedMetric,
): string | null {
  if (comparison === null) return null
  const verdict = comparison.verdicts[metric]
  if (verdict === 'within_noise') return 'within noise'
  const before = comparison.metrics[metric]?.value ?? null
  const after = metrics[metric]?.value ?? null
  if (verdict === 'not_comparable' || before === null || after === null) {
    return comparison.reason === null
      ? 'not comparable'
      : `not comparable: ${REASON_WORDS[comparison.reason] ?? comparison.reason}`
  }
  return rateChangeText(after, before)
}
