import { describe, expect, test } from 'vitest'
import { metricsOf } from '#brands/reports/metrics.ts'
import { addSums, emptySums, sumAnswers } from '#brands/reports/question-sums.ts'
import { evaluatePlainly, rounded } from '../../oracles/brands/evaluate.ts'
import { randomAnswers, seeded } from './histories.ts'

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
      visibility: nothing,
      share_of_voice: nothing,
      citation_rate: nothing,
      citation_share: nothing,
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
