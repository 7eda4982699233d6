import Type from 'typebox'
import { Count, closed, Day, described, Instant, oneOf, orNull, Uuid } from '../fields.ts'
import type { InputOf, OutputOf } from '../operation.ts'
import { none } from '../parameters.ts'
import { ANSWER_STATES, CITATION_SOURCES, ENGINES, SENTIMENTS } from '../vocabulary.ts'
import { brandPath, defineAccountOperation, REFUSALS } from './define.ts'
import { MAX_RANGE_DAYS_OF_ANSWERS, ROUTE_PARAMETERS } from './parameters.ts'

/** Answers in a list have no more of their text. */
export const MAX_LISTED_CHARACTERS = 500

const Mention = Type.Object(
  {
    brand_id: orNull(Uuid),
    competitor_id: orNull(Uuid),
    name: Type.String(),
    is_own: Type.Boolean(),
    position: Type.Integer({ minimum: 1, description: 'Among the tracked brands that the answer names.' }),
    offset: Type.Integer({ minimum: 0, description: 'UTF-16 units into the whole text.' }),
    occurrences: Type.Integer({ minimum: 1 }),
    sentiment: oneOf(SENTIMENTS),
  },
  { title: 'Mention' },
)

const Citation = Type.Object(
  {
    position: Type.Integer({ minimum: 1 }),
    url: Type.String(),
    domain: Type.String(),
    title: orNull(Type.String()),
    source: oneOf(CITATION_SOURCES),
    resolved: oneOf(['direct', 'redirect_followed', 'redirect_opaque']),
  },
  { title: 'Citation' },
)

const ReportedMention = Type.Object({
  name: Type.String(),
  own: orNull(Type.Boolean()),
  position: orNull(Type.Integer()),
  count: orNull(Count),
  sentiment: oneOf(SENTIMENTS),
})

export const BrandAnswer = Type.Object(
  {
    id: Uuid,
    question: Type.Object({ id: Uuid, text: Type.String(), country: orNull(Type.String()) }),
    engine: oneOf(ENGINES),
    surface: oneOf(['consumer_ui', 'api', 'import']),
    provider: orNull(Type.String()),
    model: orNull(Type.String()),
    language: orNull(Type.String()),
    persona: orNull(Type.String()),
    run: orNull(Type.Integer({ minimum: 1 })),
    asked_at: Instant,
    asked_at_precision: oneOf(['instant', 'day']),
    country_applied: orNull(Type.Boolean()),
    state: oneOf(ANSWER_STATES),
    failure: orNull(Type.Object({ code: Type.String(), message: Type.String() })),
    web_search: oneOf(['used', 'not_used', 'unknown']),
    text: orNull(Type.String()),
    text_truncated: Type.Boolean({ description: 'True when there is more text than is shown here.' }),
    mentions: Type.Array(Mention),
    reported_mentions: orNull(
      Type.Array(ReportedMention),
      'Names that the tool of an import found; null when it gives none.',
    ),
    citations: orNull(Type.Array(Citation), 'Null when they were not observed.'),
    citations_observed: Type.Boolean(),
    retrieved: orNull(
      Type.Array(Type.Object({ url: Type.String(), domain: Type.String(), title: orNull(Type.String()) })),
    ),
    search_queries: orNull(Type.Array(Type.String())),
    cost: orNull(
      Type.Object({
        amount_micros: Count,
        currency: Type.String(),
        basis: oneOf(['billed', 'estimated', 'imported']),
      }),
    ),
    source: orNull(Type.Object({ tool: orNull(Type.String()), external_id: orNull(Type.String()) })),
  },
  { title: 'Answer' },
)
export type BrandAnswer = Type.Static<typeof BrandAnswer>

const filters = {
  from: Day,
  to: Day,
  engines: orNull(Type.Array(oneOf(ENGINES))),
  country: orNull(Type.String()),
  question_id: orNull(Uuid),
  status: orNull(oneOf(ANSWER_STATES)),
  mentioned: orNull(Type.Boolean()),
  cited: orNull(Type.Boolean()),
  branded: orNull(Type.Boolean()),
}

export const listAnswers = defineAccountOperation({
  id: 'listAnswers',
  method: 'GET',
  path: '/api/v1/brands/{brandId}/answers',
  tag: 'Answers',
  summary: 'The answers of engines to the questions of a brand, newest first',
  subject: 'brand',
  permission: 'read',
  effect: 'read',
  params: closed(brandPath),
  query: Type.Object(ROUTE_PARAMETERS.answers),
  max_days: MAX_RANGE_DAYS_OF_ANSWERS,
  output: Type.Object(
    {
      meta: closed({
        as_of: Instant,
        filters: closed(filters, { description: 'The filters in force, defaults included; null: not filtered.' }),
        ignored_parameters: Type.Array(Type.String()),
      }),
      answers: Type.Array(BrandAnswer),
      limit: Type.Integer({ minimum: 1 }),
      returned_count: Count,
      next_cursor: orNull(Type.String(), 'Null: there are no more.'),
    },
    { title: 'AnswerList' },
  ),
  refusals: REFUSALS,
  mcp: { tool: 'list_answers' },
})

export const getAnswer = defineAccountOperation({
  id: 'getAnswer',
  method: 'GET',
  path: '/api/v1/brands/{brandId}/answers/{answerId}',
  tag: 'Answers',
  summary: 'One answer with all of its text',
  subject: 'brand',
  permission: 'read',
  effect: 'read',
  params: closed({ ...brandPath, answerId: described(Uuid, 'Id of the answer.') }),
  query: none,
  output: BrandAnswer,
  refusals: REFUSALS,
  mcp: { tool: 'get_answer' },
})

export type AnswerListInput = InputOf<typeof listAnswers>
export type AnswerList = OutputOf<typeof listAnswers>
