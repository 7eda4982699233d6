import Type from 'typebox'
import { Count, Instant, oneOf, orNull, Uuid } from '../fields.ts'
import {
  ANSWER_EXPORTERS,
  ANSWER_FORMATS,
  API_ENGINES,
  CLASSIFICATION_CODES,
  QUESTION_CREATIONS,
} from '../vocabulary.ts'
import { onAccount, onBrand } from './define.ts'

const RefusedAnswer = Type.Object({
  place: Type.Integer({ minimum: 1, description: 'line of NDJSON and CSV, else the number of the record' }),
  external_id: orNull(Type.String()),
  code: Type.String(),
  message: Type.String(),
})

/** Money is in millionths of a US dollar. */
const Classification = Type.Object({
  id: Uuid,
  engine: oneOf(API_ENGINES),
  state: oneOf(['running', 'ended', 'cancelled']),
  /** Why it ended. */
  code: orNull(oneOf(CLASSIFICATION_CODES)),
  answers: Count,
  asked: Count,
  /** Answers of which something was learned. */
  classified: Count,
  at_most_micros: Count,
  spent_micros: Count,
  started_at: Instant,
  ended_at: orNull(Instant),
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
      /** Of created questions, which keep their first ten tags. */
      tags_left_out: Count,
    }),
  }),
  onBrand('answers.classification', 'What classifying the stored mentions of a brand would cost, and the last one', {
    permission: 'edit_questions',
    output: Type.Object({
      /** Null: no engine judges sentiment. */
      engine: orNull(oneOf(API_ENGINES)),
      /** With mentions whose sentiment is unknown. */
      answers: Count,
      /** The same, of providers whose terms bar sending them to another one. */
      left_out: Count,
      estimate_micros: Count,
      /** What a start agrees to: nothing more is asked once it would be passed. */
      at_most_micros: Count,
      last: orNull(Classification),
    }),
  }),
  onBrand('answers.classify', 'Classify how stored answers speak of brands, up to a price that was agreed to', {
    effect: 'write',
    permission: 'edit_questions',
    input: { at_most_micros: Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }) },
    output: Classification,
  }),
  onBrand('answers.classify_cancel', 'Stop classifying stored mentions; calls already running finish by themselves', {
    effect: 'write',
    permission: 'edit_questions',
    output: Type.Object({ was_running: Type.Boolean() }),
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
