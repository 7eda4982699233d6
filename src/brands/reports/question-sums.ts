/**
 * Sums over the answers of one question, from which metrics are computed. They can be added (account API 2.2).
 */

export const SENTIMENT_COUNTS = ['positive', 'neutral', 'negative', 'mixed', 'unknown'] as const
export type SentimentCounts = Record<(typeof SENTIMENT_COUNTS)[number], number>

/** Sums over answered answers. */
export interface AnswerSums {
  /** Answers that were answered. */
  answered: number
  /** Of these: that name the brand. */
  naming: number
  /** Tracked brands named, the brand itself included, each once an answer. */
  tracked_mentions: number
  /** Sum of the brand's positions where it is named. */
  position_sum: number
  /** Mentions of the brand by sentiment, once an answer. */
  sentiment: SentimentCounts
  /** Answers whose citations were observed. */
  observed: number
  /** Of these: that cite an own domain. */
  citing: number
  /** Citations, a URL once an answer. */
  citations: number
  own_citations: number
}

/** The sums of one question. */
export interface QuestionSums extends AnswerSums {
  question_id: string
  is_branded: boolean
}

/** The facts of an answer that metrics use. */
export interface CountedAnswer {
  question_id: string
  is_branded: boolean
  /** Own and competitors', each brand once. */
  mentions: readonly { is_own: boolean; position: number; sentiment: keyof SentimentCounts }[]
  /** Each URL once; null: not observed. */
  citations: readonly { source: 'own' | 'competitor' | 'other' }[] | null
}

/** Sums by question, in the order in which questions first occur. */
export function sumAnswers(answers: Iterable<CountedAnswer>): QuestionSums[] {
  const questions = new Map<string, QuestionSums>()
  for (const answer of answers) {
    const { question_id, is_branded } = answer
    const known = questions.get(question_id)
    const sums = known === undefined ? { question_id, is_branded, ...emptySums() } : known
    questions.set(question_id, sums)
    addAnswer(sums, answer)
  }
  return [...questions.values()]
}

function addAnswer(sums: AnswerSums, { mentions, citations }: CountedAnswer): void {
  const own = mentions.find(({ is_own }) => is_own)
  sums.answered += 1
  sums.tracked_mentions += mentions.length
  if (own !== undefined) {
    sums.naming += 1
    sums.position_sum += own.position
    sums.sentiment[own.sentiment] += 1
  }
  if (citations === null) return
  const own_citations = citations.filter(({ source }) => source === 'own').length
  sums.observed += 1
  sums.citing += own_citations > 0 ? 1 : 0
  sums.citations += citations.length
  sums.own_citations += own_citations
}

/** Adds one question's sums to another's, for example those of several days. */
export function addSums(to: AnswerSums, more: AnswerSums): void {
  to.answered += more.answered
  to.naming += more.naming
  to.tracked_mentions += more.tracked_mentions
  to.position_sum += more.position_sum
  for (const sentiment of SENTIMENT_COUNTS) to.sentiment[sentiment] += more.sentiment[sentiment]
  to.observed += more.observed
  to.citing += more.citing
  to.citations += more.citations
  to.own_citations += more.own_citations
}

export const emptySums = (): AnswerSums => ({
  answered: 0,
  naming: 0,
  tracked_mentions: 0,
  position_sum: 0,
  sentiment: { positive: 0, neutral: 0, negative: 0, mixed: 0, unknown: 0 },
  observed: 0,
  citing: 0,
  citations: 0,
  own_citations: 0,
})
