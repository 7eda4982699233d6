/** A plain evaluation of brand metrics, written apart from the service. */

/** One answered answer. */
export interface EvaluatedAnswer {
  question_id: string
  is_branded: boolean
  /** Each brand that it names once. */
  mentions: readonly { is_own: boolean; position: number; sentiment: string }[]
  /** Null: not observed. */
  citations: readonly { source: string }[] | null
}

/** Evaluates the definitions of account API 2.2 answer by answer, with none of the code under test. */
export function evaluatePlainly(answers: readonly EvaluatedAnswer[], has_competitors: boolean) {
  const own = (answer: EvaluatedAnswer) => answer.mentions.filter(({ is_own }) => is_own)
  const share = (pairs: readonly { q: string; y: number; m: number }[]) => {
    const Y = pairs.reduce((sum, { y }) => sum + y, 0)
    const M = pairs.reduce((sum, { m }) => sum + m, 0)
    const ids = [...new Set(pairs.filter(({ m }) => m > 0).map(({ q }) => q))]
    const K = ids.length
    if (M === 0)
      return { value: null, numerator: Y, denominator: 0, low: null, high: null, clusters: 0, effective_n: 0 }
    const p = Y / M
    let square = 0
    for (const id of ids) {
      let [y, m] = [0, 0]
      for (const pair of pairs) if (pair.q === id) [y, m] = [y + pair.y, m + pair.m]
      square += (y - p * m) * (y - p * m)
    }
    const variance = ((K / (K - 1)) * square) / (M * M)
    let n = (p * (1 - p)) / variance
    if (n > M) n = M
    if (n < 1) n = 1
    if (Y === 0 || Y === M) n = K
    if (K === 1) n = M
    const z = 1.959963984540054
    const root = z * Math.sqrt((p * (1 - p) + (z * z) / (4 * n)) / n)
    const low = (p + (z * z) / (2 * n) - root) / (1 + (z * z) / n)
    const high = (p + (z * z) / (2 * n) + root) / (1 + (z * z) / n)
    return { value: p, numerator: Y, denominator: M, low, high, clusters: K, effective_n: n }
  }
  const q = (answer: EvaluatedAnswer) => answer.question_id
  const seen = answers.filter(({ citations }) => citations !== null)
  const owned = (answer: EvaluatedAnswer) => (answer.citations ?? []).filter(({ source }) => source === 'own').length
  const positions = answers.flatMap((answer) => own(answer).map(({ position }) => position))
  const words = answers.flatMap((answer) => own(answer).map(({ sentiment }) => sentiment))
  const count = (word: string) => words.filter((each) => each === word).length
  const classified = words.length - count('unknown')
  return {
    visibility: share(answers.map((answer) => ({ q: q(answer), y: own(answer).length > 0 ? 1 : 0, m: 1 }))),
    share_of_voice: has_competitors
      ? share(
          answers
            .filter(({ is_branded }) => !is_branded)
            .map((answer) => ({ q: q(answer), y: own(answer).length, m: answer.mentions.length })),
        )
      : null,
    average_position: {
      value: positions.length === 0 ? null : positions.reduce((sum, each) => sum + each, 0) / positions.length,
      n: positions.length,
    },
    net_sentiment: {
      value: classified === 0 ? null : (count('positive') - count('negative')) / classified,
      positive: count('positive'),
      neutral: count('neutral'),
      negative: count('negative'),
      mixed: count('mixed'),
      unknown: count('unknown'),
    },
    citation_rate: share(seen.map((answer) => ({ q: q(answer), y: owned(answer) > 0 ? 1 : 0, m: 1 }))),
    citation_share: share(seen.map((answer) => ({ q: q(answer), y: owned(answer), m: answer.citations?.length ?? 0 }))),
  }
}

/** Rounded to ten decimals: the order of additions differs. */
export const rounded = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'number' ? Math.round(each * 1e10) / 1e10 : each)))
