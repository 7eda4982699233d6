/** The six metrics of a brand report, from sums over questions (account API 2.2). */
import { type AnswerSums, type QuestionSums, SENTIMENT_COUNTS, type SentimentCounts } from './question-sums.ts'
import { type RatioCluster, type RatioValue, ratioOf, sumOf } from './ratio.ts'

export interface BrandMetrics {
  visibility: RatioValue
  /** Null without competitors. */
  share_of_voice: RatioValue | null
  /** `value` is null where no answer names the brand. */
  average_position: { value: number | null; n: number }
  /** `value` (-1 to 1) is null where no mention is classified. */
  net_sentiment: SentimentCounts & { value: number | null }
  citation_rate: RatioValue
  citation_share: RatioValue
}

/** The metrics that are shares: verdicts exist for these only. */
export const RATIO_METRICS = ['visibility', 'share_of_voice', 'citation_rate', 'citation_share'] as const
export type RatioMetric = (typeof RATIO_METRICS)[number]

/** What a question adds to a share; null if it does not count for it. */
export function clusterOf(metric: RatioMetric, sums: QuestionSums): RatioCluster | null {
  if (metric === 'visibility') return { numerator: sums.naming, denominator: sums.answered }
  if (metric === 'citation_rate') return { numerator: sums.citing, denominator: sums.observed }
  if (metric === 'citation_share') return { numerator: sums.own_citations, denominator: sums.citations }
  // A branded question asks for the brand, so its answers show no choice between brands.
  return sums.is_branded ? null : { numerator: sums.naming, denominator: sums.tracked_mentions }
}

/** The metrics over questions, each once. */
export function metricsOf(questions: readonly QuestionSums[], has_competitors: boolean): BrandMetrics {
  const ratio = (metric: RatioMetric) =>
    ratioOf(questions.map((sums) => clusterOf(metric, sums)).filter((cluster) => cluster !== null))
  return {
    visibility: ratio('visibility'),
    share_of_voice: has_competitors ? ratio('share_of_voice') : null,
    average_position: averagePosition(questions),
    net_sentiment: netSentiment(questions),
    citation_rate: ratio('citation_rate'),
    citation_share: ratio('citation_share'),
  }
}

function averagePosition(questions: readonly AnswerSums[]): BrandMetrics['average_position'] {
  const n = sumOf(questions, ({ naming }) => naming)
  return { value: n === 0 ? null : sumOf(questions, ({ position_sum }) => position_sum) / n, n }
}

function netSentiment(questions: readonly AnswerSums[]): BrandMetrics['net_sentiment'] {
  const counts = Object.fromEntries(
    SENTIMENT_COUNTS.map((name) => [name, sumOf(questions, ({ sentiment }) => sentiment[name])]),
  ) as SentimentCounts
  const classified = counts.positive + counts.neutral + counts.negative + counts.mixed
  return { value: classified === 0 ? null : (counts.positive - counts.negative) / classified, ...counts }
}
