import Type from 'typebox'
import { addQuestions, BrandQuestion, NewQuestion } from '../account-api/questions.ts'
import { Count, oneOf, Uuid } from '../fields.ts'
import { QUESTION_KINDS, QUESTION_STATUS_FILTERS } from '../vocabulary.ts'
import { onBrand, typed_name } from './define.ts'

const question = Uuid

const change = { permission: 'edit_questions', effect: 'write' } as const

export const questionOperations = [
  onBrand('question.add', 'Add questions about a brand', {
    ...change,
    input: { questions: Type.Array(NewQuestion, { minItems: 1, maxItems: 100 }) },
    output: addQuestions.output,
  }),
  onBrand('question.list', 'The questions of a brand, oldest first', {
    input: {
      status: Type.Optional(oneOf(QUESTION_STATUS_FILTERS)),
      kind: Type.Optional(oneOf(QUESTION_KINDS)),
      country: Type.Optional(Type.String()),
      limit: Type.Integer({ minimum: 1, maximum: 10_000 }),
      offset: Type.Integer({ minimum: 0 }),
    },
    output: Type.Object({ questions: Type.Array(BrandQuestion), total_count: Count }),
  }),
  onBrand('question.archive', 'Stop asking a question; its answers stay', {
    ...change,
    input: { question },
    output: BrandQuestion,
  }),
  onBrand('question.restore', 'Ask an archived question again', {
    ...change,
    input: { question },
    output: BrandQuestion,
  }),
  onBrand('question.contents', 'What would go with a question', {
    permission: 'edit_questions',
    input: { question },
    output: Type.Object({ id: Uuid, text: Type.String(), answers: Count, fixes: Count }),
  }),
  onBrand('question.remove', 'Remove a question for good', {
    ...change,
    input: { question, typed_name },
    output: Type.Object({ id: Uuid, text: Type.String() }),
  }),
] as const
