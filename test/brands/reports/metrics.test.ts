import { describe, expect, test } from 'vitest'
import { metricsOf } from '#brands/reports/metrics.ts'
import { addSums, type CountedAnswer, emptySums, sumAnswers } from '#brands/reports/question-sums.ts'
import { randomAnswers, seeded } from './histories.ts'

/** Evaluates the definitions of account API 2.2 answer by answer, with none of the code under test. */
function evaluatePlainly(answers: readonly CountedAnswer[], has_competitors: boolean) {
  const own = (answer: CountedAnswer) => answer.mentions.filter(({ is_own }) => is_own)
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
  const q = (answer: CountedAnswer) => answer.question_id
  const seen = answers.filter(({ citations }) => citations !== null)
  const owned = (answer: CountedAnswer) => (answer.citations ?? []).filter(({ source }) => source === 'own').length
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
      ...{ positive: count('positive'), neutral: count('neutral'), negative: count('negative') },
      ...{ mixed: count('mixed'), unknown: count('unknown') },
    },
    citation_rate: share(seen.map((answer) => ({ q: q(answer), y: owned(answer) > 0 ? 1 : 0, m: 1 }))),
    citation_share: share(seen.map((answer) => ({ q: q(answer), y: owned(answer), m: answer.citations?.length ?? 0 }))),
  }
}

/** Rounded to ten decimals: the order of additions differs. */
const rounded = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'number' ? Math.round(each * 1e10) / 1e10 : each)))

describe('metrics (account API 2.2)', () => {
  test('equal a plain evaluation of 300 random sets of answers', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const below = seeded(seed)
      const answers = randomAnswers(below, 1 + below(8), below(60))
      const has_competitors = below(5) > 0
      expect(rounded(metricsOf(sumAnswers(answers), has_competitors)), `seed ${seed}`).toEqual(
        rounded(evaluatePlainly(answers, has_competitors)),
      )
    }
  })

  test('nothing measured is null, never zero', () => {
    const nothing = { value: null, numerator: 0, denominator: 0, low: null, high: null, clusters: 0, effective_n: 0 }
    expect(metricsOf([], true)).toEqual({
      ...{ visibility: nothing, share_of_voice: nothing, citation_rate: nothing, citation_share: nothing },
      average_position: { value: null, n: 0 },
      net_sentiment: { value: null, positive: 0, neutral: 0, negative: 0, mixed: 0, unknown: 0 },
    })
  })

  test('questions that always agree are as good as independent answers', () => {
    const half = sumAnswers(randomAnswers(seeded(5), 1, 40)).map((sums) => ({ ...sums, answered: 10, naming: 5 }))
    const questions = ['a', 'b', 'c'].flatMap((question_id) => half.map((sums) => ({ ...sums, question_id })))
    expect(metricsOf(questions, false).visibility).toMatchObject({ value: 0.5, clusters: 3, effective_n: 30 })
  })

  test('questions that disagree count for little more than one answer each', () => {
    const [one] = sumAnswers(randomAnswers(seeded(5), 1, 40))
    const questions = [0, 10, 0, 10].map((naming, index) => ({ ...one, question_id: `${index}`, answered: 10, naming }))
    const { visibility } = metricsOf(questions as Parameters<typeof metricsOf>[0], false)
    expect(visibility.effective_n).toBeCloseTo(3, 10)
  })

  test('sums of days add up to the sums of the window', () => {
    const answers = randomAnswers(seeded(9), 1, 50)
    const total = emptySums()
    for (const day of [answers.slice(0, 20), answers.slice(20)]) {
      for (const sums of sumAnswers(day)) addSums(total, sums)
    }
    expect(sumAnswers(answers)).toMatchObject([total])
  })
})
