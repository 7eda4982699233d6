/** Every query parameter of surface B (account API 1); what is checked beyond these forms has codes of its own. */
import Type from 'typebox'
import { Day, described, oneOf, Uuid } from '../fields.ts'
import * as vocabulary from '../vocabulary.ts'

const { FIX_KINDS, FIX_STATUS_FILTERS, QUESTION_KINDS, QUESTION_STATUS_FILTERS } = vocabulary

/** Inclusive UTC days; the service fills in the one or two that are left out. */
const days = {
  from: Type.String({ ...Day, description: 'First UTC day. Left out: 29 days before `to`.' }),
  to: Type.String({
    ...Day,
    description: 'Last UTC day, not after today. Left out: 29 days after `from`, at most today.',
  }),
}

const engines = Type.Optional(
  Type.Array(oneOf(vocabulary.ENGINES), {
    minItems: 1,
    description: 'Comma-separated, of the engines in the plan of the account. Left out: all of them.',
  }),
)
const country = Type.Optional(
  Type.String({
    pattern: '^([A-Z]{2}|none)$',
    description: 'ISO 3166-1 alpha-2, or `none` for questions without one.',
  }),
)
const question_id = Type.Optional(described(Uuid, 'Answers to this question only.'))

const interval = oneOf(
  vocabulary.REPORT_INTERVALS,
  'Left out: day up to 31 days, week (from Monday) up to 120, else month.',
)
const compare = Type.Enum([...vocabulary.COMPARISONS], {
  type: 'string',
  default: 'none',
  description: 'previous: with the window of the same length directly before.',
})

const truth = (description: string) => Type.Optional(Type.Boolean({ description }))
const mentioned = truth('Answers that name the brand, or those that do not.')
const cited = truth('Answers that cite an own URL, or those that cite none.')
const branded = truth('Branded questions only, or unbranded ones only.')

const questionStatus = Type.Enum([...QUESTION_STATUS_FILTERS], {
  type: 'string',
  default: 'active',
  description: 'Which questions are listed.',
})
const fixStatus = Type.Enum([...FIX_STATUS_FILTERS], {
  type: 'string',
  default: 'all',
  description: 'Which fixes are listed.',
})
const answerStatus = Type.Optional(oneOf(vocabulary.ANSWER_STATES, 'Runs that ended so.'))
const questionKind = Type.Optional(oneOf(QUESTION_KINDS, 'Questions of this kind only.'))
const fixKind = Type.Optional(oneOf(FIX_KINDS, 'Fixes of this kind only.'))

const dimension = Type.Enum([...vocabulary.URL_DIMENSIONS], {
  type: 'string',
  default: 'url',
  description: 'What the rows are: cited URLs or domains, own pages in search, or the queries of one page.',
})
const source = Type.Optional(
  oneOf(
    [...vocabulary.CITATION_SOURCES, ...vocabulary.SEARCH_SOURCES],
    'own, competitor, other for url and domain; google (default), bing for page and query.',
  ),
)
const page = Type.Optional(
  Type.String({ format: 'uri', description: 'Absolute URL on an own domain; `dimension=query` needs it.' }),
)

const MAX_LIMIT = 200
const MAX_OFFSET = 10_000
const limit = Type.Integer({
  minimum: 1,
  maximum: MAX_LIMIT,
  default: 50,
  description: 'The most items of one answer.',
})
const offset = Type.Integer({ minimum: 0, maximum: MAX_OFFSET, default: 0, description: 'Items to skip.' })
const cursor = Type.Optional(
  Type.String({ minLength: 1, maxLength: 400, description: '`next_cursor` of an answer to the same filters.' }),
)

/** Codes of a value outside of its form, by parameter. */
export const PARAMETER_CODES = {
  from: 'invalid_date',
  to: 'invalid_date',
  engines: 'unknown_engine',
  country: 'invalid_country',
  question_id: 'invalid_uuid',
  interval: 'invalid',
  compare: 'invalid',
  mentioned: 'invalid_boolean',
  cited: 'invalid_boolean',
  branded: 'invalid_boolean',
  status: 'invalid_status',
  kind: 'invalid_kind',
  dimension: 'invalid_dimension',
  source: 'invalid_source',
  page: 'invalid',
  limit: 'invalid_limit',
  offset: 'invalid_offset',
  cursor: 'invalid_cursor',
} as const satisfies Readonly<Record<string, vocabulary.FieldErrorCode>>

/** Parameters by route, also of those that are not served yet: the routes share one reader (account API 1). */
export const ROUTE_PARAMETERS = {
  report: { ...days, interval, compare, engines, country, question_id, branded },
  answers: {
    ...days,
    engines,
    country,
    question_id,
    status: answerStatus,
    mentioned,
    cited,
    branded,
    limit,
    cursor,
  },
  urls: { ...days, dimension, source, page, engines, country, question_id, limit, offset },
  questions: { kind: questionKind, status: questionStatus, country, limit, offset },
  fixes: { kind: fixKind, status: fixStatus, limit, offset },
  brands: { limit, offset },
} as const

/** The longest range of days that a route reads, both ends counted. */
export const MAX_RANGE_DAYS = 366
export const MAX_RANGE_DAYS_OF_ANSWERS = 90
