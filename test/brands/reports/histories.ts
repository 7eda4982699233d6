/** Random answers about a brand, the same in every run. */
import type { CountedAnswer, SentimentCounts } from '#brands/reports/question-sums.ts'

export type Below = (count: number) => number

/** A generator of whole numbers below a count (Park, Miller 1988). */
export function seeded(seed: number): Below {
  let state = (seed * 2_654_435_761) % 2_147_483_647 || 1
  return (count) => {
    state = (state * 48_271) % 2_147_483_647
    return Math.floor((state / 2_147_483_647) * count)
  }
}

const pick = <T>(below: Below, values: readonly T[]): T => values[below(values.length)] as T
const SENTIMENTS: readonly (keyof SentimentCounts)[] = ['positive', 'neutral', 'negative', 'mixed', 'unknown']

/** Answers about up to `questions` questions. */
export function randomAnswers(below: Below, questions: number, count: number): CountedAnswer[] {
  return Array.from({ length: count }, () => {
    const question = below(questions)
    const own_position = below(4)
    const rivals = below(4)
    const mentions = Array.from({ length: rivals }, (_, index) => ({
      is_own: false,
      position: own_position > 0 && index + 1 >= own_position ? index + 2 : index + 1,
      sentiment: pick(below, SENTIMENTS),
    }))
    const position = Math.min(own_position, rivals + 1)
    if (own_position > 0) mentions.push({ is_own: true, position, sentiment: pick(below, SENTIMENTS) })
    const sources = ['own', 'competitor', 'other', 'other'] as const
    return {
      question_id: `q${question}`,
      is_branded: question % 3 === 0,
      mentions,
      citations: below(4) === 0 ? null : Array.from({ length: below(5) }, () => ({ source: pick(below, sources) })),
    }
  })
}
