import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { findQuestionFaults } from '#brands/questions/question-forms.ts'
import { addQuestions } from '#contract/account-api/questions.ts'
import { findBodyFaults } from '#surfaces/account-api/body-faults.ts'

const schema = Compile(addQuestions.body)
const summarize = (body: unknown) =>
  findBodyFaults(schema, body)
    .map(({ path, code }) => [path.join('.'), code].join(' '))
    .sort()

describe('faults of a body (spec 7.2)', () => {
  test('a body of the right form has none', () => {
    expect(summarize({ questions: [{ text: 'a' }, { text: 'b', country: null, tags: ['t'] }] })).toEqual([])
  })

  test('each fault names its place', () => {
    expect(summarize({})).toEqual(['questions required'])
    expect(summarize([])).toEqual([' invalid'])
    expect(summarize(null)).toEqual([' invalid'])
    expect(summarize({ questions: 'x' })).toEqual(['questions invalid'])
    expect(summarize({ questions: [] })).toEqual(['questions invalid'])
    expect(summarize({ questions: Array.from({ length: 101 }, () => ({ text: 'a' })) })).toEqual(['questions invalid'])
    expect(summarize({ questions: [{ text: 'a' }], more: 1 })).toEqual(['more invalid'])
    const questions = [
      {},
      { text: 1 },
      { text: 'a', country: 'de' },
      { text: 'a', tags: ['x', 3] },
      { text: 'a', id: 1 },
    ]
    expect(summarize({ questions })).toEqual([
      ...['questions.0.text required', 'questions.1.text invalid', 'questions.2.country invalid_country'],
      ...['questions.3.tags.1 invalid', 'questions.4.id invalid'],
    ])
  })

  test('messages say what is allowed', () => {
    const questions = [{ text: '' }, { text: 'a', country: 'de' }]
    const messages = (found: { message: string }[]) => found.map(({ message }) => message)
    expect(messages(findBodyFaults(schema, { questions }))).toEqual([
      'The value must not be empty.',
      'The value must be a code of ISO 3166-1 alpha-2 in capitals, or null.',
    ])
    expect(messages(findBodyFaults(schema, { questions: [] }))).toEqual(['The value must not be empty.'])
    expect(messages(findBodyFaults(schema, []))).toEqual(['The value must be an object.'])
    const change = Compile(Type.Object({ status: Type.Enum(['accepted', 'completed']) }))
    expect(messages(findBodyFaults(change, { status: 'open' }))).toEqual([
      'The value must be one of accepted, completed.',
    ])
    const named = Compile(Type.Object({ id: Type.String({ format: 'uuid' }) }))
    expect(messages(findBodyFaults(named, { id: 'x' }))).toEqual(['The value must be a UUID.'])
  })

  test('faults of all items are named, 200 at most', () => {
    const long = [{ text: 1 }, ...Array.from({ length: 100 }, () => ({ text: 'a' }))]
    expect(summarize({ questions: long })).toEqual(['questions invalid', 'questions.0.text invalid'])
    const questions = Array.from({ length: 40 }, () => ({ text: 1, tags: 1, more: 1 }))
    expect(findBodyFaults(schema, { questions })).toHaveLength(120)
    expect(
      findBodyFaults(schema, { questions: Array.from({ length: 90 }, () => ({ text: 1, tags: 1, more: 1 })) }),
    ).toHaveLength(200)
  })

  test.each([1, 999, 1_000, 1_001, 100_000])('%i unknown members of a body are refused', (count) => {
    const members = Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, 0]))
    const faults = findBodyFaults(schema, { questions: [{ text: 'a' }], ...members })
    expect(faults).toHaveLength(Math.min(count, 200))
    expect(faults[0]).toEqual({ path: ['m0'], code: 'invalid', message: expect.stringContaining('leave it out') })
  })

  test('an unknown member whose name is a number is one of its object', () => {
    expect(findBodyFaults(schema, { questions: [{ text: 'a', 0: 0 }] }).map(({ path }) => path)).toEqual([
      ['questions', 0, '0'],
    ])
  })

  test('items are counted by numbers, and a strange name is cut', () => {
    expect(findBodyFaults(schema, { questions: [7] })[0]?.path).toEqual(['questions', 0])
    expect(findBodyFaults(schema, { questions: [{ text: 'a' }], ['x'.repeat(500)]: 1 })[0]?.path).toEqual([
      'x'.repeat(100),
    ])
  })

  test('beyond schemas: blank, too long in characters, control characters, an unknown country, an invisible tag', () => {
    const questions = [
      { text: '  ' },
      { text: '𝒙'.repeat(301) },
      { text: 'a\u202eb' },
      { text: 'a', country: 'XX' },
      { text: 'a', tags: ['ok', ' '] },
      { text: '𝒙'.repeat(300), country: 'DE' },
    ]
    expect(findQuestionFaults({ questions }).map(({ path, code }) => [path.join('.'), code].join(' '))).toEqual([
      ...['questions.0.text invalid', 'questions.1.text invalid', 'questions.2.text invalid'],
      ...['questions.3.country invalid_country', 'questions.4.tags.1 invalid'],
    ])
    for (const strange of [null, 7, [], { questions: 7 }, { questions: [null, 7, { text: 1, tags: 2 }] }]) {
      expect(findQuestionFaults(strange)).toEqual([])
    }
  })
})
