import Type from 'typebox'
import { Count, closed, described, Instant, oneOf, orNull, Uuid } from '../fields.ts'
import type { InputOf, OutputOf } from '../operation.ts'
import { none } from '../parameters.ts'
import { ANSWER_STATES, ENGINES, QUESTION_KINDS, QUESTION_STATUS_FILTERS, QUESTION_STATUSES } from '../vocabulary.ts'
import { brandPath, defineAccountOperation, listFields, listMeta, REFUSALS } from './define.ts'
import { ROUTE_PARAMETERS } from './parameters.ts'

export const MAX_QUESTION_CHARACTERS = 300
export const MAX_TAGS = 10
const MAX_TAG_CHARACTERS = 64
const MAX_BATCH = 100

export const BrandQuestion = Type.Object(
  {
    id: Uuid,
    text: Type.String(),
    country: orNull(Type.String()),
    tags: Type.Array(Type.String()),
    kind: oneOf(QUESTION_KINDS, 'branded: the text names the brand.'),
    status: oneOf(QUESTION_STATUSES),
    created_at: Instant,
    archived_at: orNull(Instant),
    last_asked: Type.Array(Type.Object({ engine: oneOf(ENGINES), asked_at: Instant, state: oneOf(ANSWER_STATES) }), {
      description: 'The newest run of each engine; none before it was asked.',
    }),
  },
  { title: 'Question' },
)
export type BrandQuestion = Type.Static<typeof BrandQuestion>

export const NewQuestion = closed(
  {
    text: Type.String({
      minLength: 1,
      description: `Up to ${MAX_QUESTION_CHARACTERS} characters.`,
    }),
    country: Type.Optional(
      orNull(Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2; null or left out: no country.' })),
    ),
    tags: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: MAX_TAG_CHARACTERS }), { maxItems: MAX_TAGS }),
    ),
  },
  { title: 'NewQuestion' },
)
export type NewQuestion = Type.Static<typeof NewQuestion>

export const listQuestions = defineAccountOperation({
  id: 'listQuestions',
  method: 'GET',
  path: '/api/v1/brands/{brandId}/questions',
  tag: 'Questions',
  summary: 'The questions of a brand, oldest first',
  subject: 'brand',
  permission: 'read',
  effect: 'read',
  params: closed(brandPath),
  query: Type.Object(ROUTE_PARAMETERS.questions),
  output: Type.Object(
    {
      meta: listMeta({
        kind: orNull(oneOf(QUESTION_KINDS)),
        status: oneOf(QUESTION_STATUS_FILTERS),
        country: orNull(Type.String()),
      }),
      questions: Type.Array(BrandQuestion),
      ...listFields,
    },
    { title: 'QuestionList' },
  ),
  refusals: REFUSALS,
  mcp: { tool: 'list_questions' },
})

export const addQuestions = defineAccountOperation({
  id: 'addQuestions',
  method: 'POST',
  path: '/api/v1/brands/{brandId}/questions',
  tag: 'Questions',
  summary: 'Add up to 100 questions',
  description:
    'A fault in the form of any item refuses the whole batch. Questions that the brand has already, and those for which the account has ' +
    'no room, are rejected one by one.',
  subject: 'brand',
  permission: 'edit_questions',
  effect: 'write',
  params: closed(brandPath),
  query: none,
  body: closed({ questions: Type.Array(NewQuestion, { minItems: 1, maxItems: MAX_BATCH }) }),
  success: 201,
  idempotent: true,
  output: Type.Object(
    {
      created: Type.Array(BrandQuestion),
      rejected: Type.Array(
        Type.Object({
          index: Count,
          code: oneOf(['invalid', 'limit_reached']),
          message: Type.String(),
          existing_id: orNull(Uuid),
        }),
      ),
    },
    { title: 'AddedQuestions' },
  ),
  refusals: [...REFUSALS, 409],
  mcp: { tool: 'add_questions' },
})

const questionPath = closed({ ...brandPath, id: described(Uuid, 'Id of the question.') })

export const archiveQuestion = defineAccountOperation({
  id: 'archiveQuestion',
  method: 'POST',
  path: '/api/v1/brands/{brandId}/questions/{id}/archive',
  tag: 'Questions',
  summary: 'Stop asking a question; its answers stay. Repeating it changes nothing',
  subject: 'brand',
  permission: 'edit_questions',
  effect: 'write',
  params: questionPath,
  query: none,
  output: BrandQuestion,
  refusals: REFUSALS,
  mcp: { tool: 'archive_question' },
})

export const restoreQuestion = defineAccountOperation({
  id: 'restoreQuestion',
  method: 'POST',
  path: '/api/v1/brands/{brandId}/questions/{id}/restore',
  tag: 'Questions',
  summary: 'Ask an archived question again, if the account has room. Repeating it changes nothing',
  subject: 'brand',
  permission: 'edit_questions',
  effect: 'write',
  params: questionPath,
  query: none,
  output: BrandQuestion,
  refusals: [...REFUSALS, 409],
  mcp: { tool: 'restore_question' },
})

export type QuestionListInput = InputOf<typeof listQuestions>
export type QuestionList = OutputOf<typeof listQuestions>
export type AddedQuestions = OutputOf<typeof addQuestions>
