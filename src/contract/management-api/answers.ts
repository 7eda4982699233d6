import Type from 'typebox'
import { Count, oneOf, orNull, Uuid } from '../fields.ts'
import { ANSWER_EXPORTERS, ANSWER_FORMATS, QUESTION_CREATIONS } from '../vocabulary.ts'
import { onAccount, onBrand } from './define.ts'

const RefusedAnswer = Type.Object({
  place: Type.Integer({ minimum: 1, description: 'line of NDJSON and CSV, else the number of the record' }),
  external_id: orNull(Type.String()),
  code: Type.String(),
  message: Type.String(),
})

export const answerOperations = [
  onBrand('answers.import', 'Import answers of engines from a file', {
    permission: 'edit_questions',
    effect: 'write',
    input: {
      format: oneOf(ANSWER_FORMATS),
      exporter: Type.Optional(oneOf(ANSWER_EXPORTERS)),
      replaces: Type.Boolean(),
      create_questions: oneOf(QUESTION_CREATIONS),
      document: Type.String({ description: 'the file' }),
    },
    output: Type.Object({
      records: Count,
      stored: Count,
      replaced: Count,
      duplicates: Count,
      refused: Type.Array(RefusedAnswer),
      questions_created_active: Count,
      questions_created_archived: Count,
    }),
  }),
  onAccount('answers.payload', 'What an engine sent for an answer that was asked in the last 30 days', {
    input: { brand: Type.String({ description: 'id or name' }), answer: Uuid },
    output: Type.Object({
      tries: Type.Array(
        Type.Object({
          try: Type.Integer({ minimum: 1 }),
          /** Bodies of the responses in turn; not text of ours. */
          bodies: Type.Array(Type.String()),
        }),
      ),
    }),
  }),
] as const
