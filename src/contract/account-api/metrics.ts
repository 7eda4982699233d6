/** Shares with their uncertainty, and the metrics of a brand (account API 2.1, 2.2). */
import Type from 'typebox'
import { Count, oneOf, orNull, Share } from '../fields.ts'

export const Ratio = Type.Object(
  {
    value: orNull(Share),
    numerator: Count,
    denominator: Count,
    low: orNull(Share, 'Lower end of the 95 % interval.'),
    high: orNull(Share, 'Upper end of the 95 % interval.'),
    clusters: Type.Integer({ minimum: 0, description: 'Questions behind the share.' }),
    effective_n: Type.Number({ minimum: 0, description: 'Independent answers that would be as uncertain.' }),
  },
  { title: 'Ratio', description: 'Value, low and high are null when nothing was measured (0/0).' },
)

export const AveragePosition = Type.Object({
  value: orNull(Type.Number({ minimum: 1 }), 'Null where n is 0.'),
  n: Count,
})

export const Metrics = Type.Object(
  {
    visibility: Ratio,
    share_of_voice: orNull(Ratio, 'Unbranded questions only; null without competitors.'),
    average_position: AveragePosition,
    net_sentiment: Type.Object({
      value: orNull(Type.Number({ minimum: -1, maximum: 1 }), 'Null when no mention is classified.'),
      positive: Count,
      neutral: Count,
      negative: Count,
      mixed: Count,
      unknown: Count,
    }),
    citation_rate: Ratio,
    citation_share: Ratio,
  },
  { title: 'Metrics' },
)

const Verdict = oneOf(['higher', 'lower', 'within_noise', 'not_comparable'])

/** Why windows, or single shares of them, are not compared. */
export const INCOMPARABLE_REASONS = [
  'few_questions',
  'few_answers',
  'different_questions',
  'model_changed',
  'surface_changed',
  'mix_changed',
] as const // account API 2.2

export const Comparison = Type.Object(
  {
    window: Type.Object({ from: Type.String({ format: 'date' }), to: Type.String({ format: 'date' }) }),
    metrics: Metrics,
    verdicts: Type.Object({
      visibility: Verdict,
      share_of_voice: Verdict,
      citation_rate: Verdict,
      citation_share: Verdict,
    }),
    reason: orNull(oneOf(INCOMPARABLE_REASONS), 'Why a verdict is not_comparable.'),
  },
  { title: 'Comparison', description: 'The window of the same length directly before.' },
)
