import { describe, expect, test } from 'vitest'
import { emptySums, type QuestionSums } from '#brands/reports/question-sums.ts'
import { type AnswerGroup, type ComparedWindow, compareWindows } from '#brands/reports/verdict.ts'
import { type Below, seeded } from './histories.ts'

/** A window of one engine in which each question was answered `answered` times and named the brand `naming` times. */
function windowOf(naming: readonly number[], answered = 20, group: Partial<AnswerGroup> = {}): ComparedWindow {
  const questions = naming.map((count, index): QuestionSums => {
    const sums = { ...emptySums(), answered, naming: count, tracked_mentions: count }
    return { question_id: `q${index}`, is_branded: false, ...sums }
  })
  const groups = questions.map(({ question_id }) => ({
    question_id,
    engine: 'chatgpt',
    surface: 'api',
    model: 'm',
    country: null,
    answered,
    ...group,
  }))
  return { questions, groups }
}

const STEADY = [2, 5, 9, 12, 18, 4]

describe('verdicts (account API 2.2)', () => {
  test('a change of all questions is higher or lower', () => {
    const more = STEADY.map((count) => count + 2)
    expect(compareWindows(windowOf(STEADY), windowOf(more)).verdicts.visibility).toBe('higher')
    expect(compareWindows(windowOf(more), windowOf(STEADY)).verdicts.visibility).toBe('lower')
  })

  test('changes in both directions are within noise', () => {
    const { verdicts, reason } = compareWindows(windowOf(STEADY), windowOf([5, 2, 12, 9, 18, 5]))
    expect(verdicts.visibility).toBe('within_noise')
    // Nothing was cited, so those shares have nothing to compare.
    expect([verdicts.citation_rate, reason]).toEqual(['not_comparable', 'few_questions'])
  })

  test('the same again is within noise, though nothing varies', () => {
    expect(compareWindows(windowOf([7, 7, 7, 7, 7]), windowOf([7, 7, 7, 7, 7])).verdicts.visibility).toBe(
      'within_noise',
    )
    expect(compareWindows(windowOf([0, 0, 0, 0, 0]), windowOf([20, 20, 20, 20, 20])).verdicts.visibility).toBe('higher')
  })

  const groups = (window: ComparedWindow, change: (group: AnswerGroup, index: number) => Partial<AnswerGroup>) => ({
    ...window,
    groups: window.groups.map((group, index) => ({ ...group, ...change(group, index) })),
  })

  test.each([
    ['few_questions', windowOf([1, 2, 3, 4]), windowOf([1, 2, 3, 4])],
    ['few_answers', windowOf([1, 1, 1, 1, 1], 3), windowOf(STEADY.slice(1))],
    ['different_questions', windowOf(STEADY), windowOf(STEADY.slice(1))],
    ['model_changed', windowOf(STEADY), windowOf(STEADY, 20, { model: 'n' })],
    ['model_changed', windowOf(STEADY), groups(windowOf(STEADY), (_, index) => (index === 0 ? { model: 'n' } : {}))],
    ['surface_changed', windowOf(STEADY), windowOf(STEADY, 20, { surface: 'consumer_ui' })],
    ['mix_changed', windowOf(STEADY), windowOf(STEADY, 20, { country: 'CH' })],
    [
      'mix_changed',
      windowOf(STEADY),
      groups(windowOf(STEADY), (_, index) => (index === 0 ? { answered: 31 } : { answered: 18 })),
    ],
  ] as const)('%s is a reason to compare nothing', (reason, before, after) => {
    const comparison = compareWindows(before, after)
    expect(comparison.reason).toBe(reason)
    expect(new Set(Object.values(comparison.verdicts))).toEqual(new Set(['not_comparable']))
  })

  test('a mix that moves by five points is still the same mix', () => {
    const engines = (first: number): AnswerGroup[] =>
      windowOf(STEADY).groups.flatMap((group) => [
        { ...group, answered: first },
        { ...group, engine: 'claude', answered: 20 - first },
      ])
    const before = { ...windowOf(STEADY), groups: engines(10) }
    expect(compareWindows(before, { ...windowOf(STEADY), groups: engines(11) }).verdicts.visibility).toBe(
      'within_noise',
    )
    expect(compareWindows(before, { ...windowOf(STEADY), groups: engines(12) }).reason).toBe('mix_changed')
  })

  test('an engine that answers in one window only is a change of the mix, and a small one is none', () => {
    const with_claude = (answered: number) => ({
      ...windowOf(STEADY),
      groups: windowOf(STEADY).groups.flatMap((group) => [
        { ...group, answered: 20 - answered },
        { ...group, engine: 'claude', model: 'c', surface: 'consumer_ui', answered },
      ]),
    })
    expect(compareWindows(windowOf(STEADY), with_claude(2)).reason).toBe('mix_changed')
    expect(compareWindows(windowOf(STEADY), with_claude(1)).verdicts.visibility).toBe('within_noise')
  })

  test('at most 6 % of 1,000 clustered histories without change get a verdict', () => {
    const wrong = Array.from({ length: 1_000 }, (_, index) => {
      const below = seeded(index + 1)
      const questions = 5 + below(26)
      const chances = Array.from({ length: questions }, () => clusteredChance(below))
      const answered = 10 + below(21)
      const draw = () =>
        windowOf(
          chances.map((chance) => binomial(below, answered, chance)),
          answered,
        )
      return compareWindows(draw(), draw()).verdicts.visibility
    }).filter((verdict) => verdict !== 'within_noise')
    expect(wrong.length).toBeLessThanOrEqual(60)
  })
})

/** Questions differ much from one another: most brands are named nearly always or nearly never. */
function clusteredChance(below: Below): number {
  const [a, b] = [below(1_000) / 1_000, below(1_000) / 1_000]
  return below(2) === 0 ? a * b : 1 - a * b
}

const binomial = (below: Below, trials: number, chance: number): number =>
  Array.from({ length: trials }, () => below(1_000_000)).filter((each) => each < chance * 1_000_000).length
