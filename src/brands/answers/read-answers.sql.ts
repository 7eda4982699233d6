import Type from 'typebox'
import { MAX_LISTED_CHARACTERS } from '#contract/account-api/answers.ts'
import type { AnswerState, Engine } from '#contract/vocabulary.ts'
import {
  and,
  count,
  day,
  type Fragment,
  instant,
  isOneOf,
  list,
  or,
  rows,
  sql,
  text,
  tuples,
  uint,
  uint64,
  uuid,
} from '#evidence/sql.ts'
import type { ListPlace } from '../cursor.ts'
import type { FoundBrand } from '../find-brand.ts'

/** Which answers of a brand are read; null: not filtered. */
export interface AnswerFilter {
  brand: FoundBrand
  days: { from: string; to: string } | null
  answer_id: string | null
  engines: readonly Engine[] | null
  country: string | null
  /** Questions whose answers are read. */
  question_ids: readonly string[] | null
  /** Removed questions whose answers are not erased yet. */
  removed_question_ids: readonly string[]
  status: AnswerState | null
  mentioned: boolean | null
  cited: boolean | null
  mentions_version: number
}

/** Every answer of the brand. */
export const unfiltered = (brand: FoundBrand, mentions_version: number): AnswerFilter => ({
  brand,
  mentions_version,
  days: null,
  answer_id: null,
  engines: null,
  country: null,
  question_ids: null,
  removed_question_ids: [],
  status: null,
  mentioned: null,
  cited: null,
})

const text_or_null = Type.Union([Type.String(), Type.Null()])
const AnswerRow = Type.Object({
  day: Type.String(),
  answer_id: Type.String(),
  revision: count(),
  question_id: Type.String(),
  engine: Type.String(),
  surface: Type.String(),
  provider: text_or_null,
  model: text_or_null,
  language: text_or_null,
  persona: text_or_null,
  run: Type.Union([count(), Type.Null()]),
  asked_ms: count(),
  asked_at_precision: Type.String(),
  country_applied: Type.Union([count(), Type.Null()]),
  state: Type.String(),
  failure_code: text_or_null,
  failure_message: text_or_null,
  web_search: Type.String(),
  shown: text_or_null,
  is_cut: count(),
  search_queries: text_or_null,
  citations_observed: count(),
  retrieved: text_or_null,
  reported_mentions: text_or_null,
  cost_micros: Type.Union([count(), Type.Null()]),
  cost_currency: text_or_null,
  cost_basis: text_or_null,
  source_tool: text_or_null,
  external_id: text_or_null,
})
export type StoredAnswerRow = Type.Static<typeof AnswerRow>

/** The key of a stored answer. */
export interface AnswerKey {
  day: string
  answer_id: string
}

/** TRICKY: the engine compares the second half of a UUID first. As numbers, UUIDs have the order of their text. */
const BY_ID = sql`toUInt128(answers.answer_id)`

/** The keys of the answers in a piece of the list, newest first. */
export const answerPlaces = (
  filter: AnswerFilter,
  { after, limit }: { after: ListPlace | null; limit: number },
) => rows(Type.Object({ day: Type.String(), answer_id: Type.String(), asked_ms: count() }))`
  SELECT toString(answers.day) AS day, toString(answers.answer_id) AS answer_id,
    toUInt64(toUnixTimestamp64Milli(answers.asked_at)) AS asked_ms
  FROM ${COUNTED}
  WHERE ${and([...conditionsOf(filter), ...(after === null ? [] : [isAfter(after)])])}
  ORDER BY answers.asked_at DESC, ${BY_ID}
  LIMIT ${uint64(limit)}`

const isAfter = ({ at, id }: ListPlace): Fragment =>
  sql`answers.asked_at < ${instant(at)} OR (answers.asked_at = ${instant(at)} AND ${BY_ID} > toUInt128(${uuid(id)}))`

/** These answers, newest first; `whole`: with all of the text. */
export const answersAt = (brand: FoundBrand, keys: readonly AnswerKey[], { whole }: { whole: boolean }) => rows(
  AnswerRow,
)`
  SELECT toString(answers.day) AS day, toString(answers.answer_id) AS answer_id, answers.revision AS revision,
    toString(answers.question_id) AS question_id,
    toString(answers.engine) AS engine, toString(answers.surface) AS surface, toString(answers.provider) AS provider,
    toString(answers.model) AS model, toString(answers.language) AS language, toString(answers.persona) AS persona,
    toUInt64(answers.run) AS run, toUInt64(toUnixTimestamp64Milli(answers.asked_at)) AS asked_ms,
    toString(answers.asked_at_precision) AS asked_at_precision, toUInt64(answers.country_applied) AS country_applied,
    toString(answers.state) AS state, toString(answers.failure_code) AS failure_code,
    answers.failure_message AS failure_message, toString(answers.web_search) AS web_search,
    ${whole ? sql`answers.text` : sql`substringUTF8(answers.text, 1, ${uint64(MAX_LISTED_CHARACTERS)})`} AS shown,
    toUInt64(answers.text_truncated = 1 OR ifNull(lengthUTF8(answers.text) > lengthUTF8(shown), 0)) AS is_cut,
    answers.search_queries AS search_queries, toUInt64(answers.citations_observed) AS citations_observed,
    answers.retrieved AS retrieved, answers.reported_mentions AS reported_mentions,
    answers.cost_micros AS cost_micros, toString(answers.cost_currency) AS cost_currency,
    toString(answers.cost_basis) AS cost_basis, toString(answers.source_tool) AS source_tool,
    answers.external_id AS external_id
  FROM spoor.answers FINAL
  WHERE ${and([ofBrand({ brand }), areAt(sql`answers`, keys)])}
  ORDER BY answers.asked_at DESC, ${BY_ID}`

/** The day comes before the answer in the key of all tables of answers. */
export const areAt = (table: Fragment, keys: readonly AnswerKey[]): Fragment =>
  sql`(${table}.day, ${table}.answer_id) IN ${tuples(
    'Tuple(Date, UUID)',
    keys.map(({ day, answer_id }) => [day, answer_id]),
  )}`

/** The rows that reports and lists count, as `answers`. */
export const COUNTED = sql`spoor.counted_answers AS answers FINAL`

/** The filter as conditions on `COUNTED`. */
export function conditionsOf(filter: AnswerFilter): Fragment[] {
  const { days, answer_id, engines, country, question_ids, removed_question_ids, status, mentioned, cited } = filter
  const found = [ofBrand(filter), sql`mentions_version = ${uint64(filter.mentions_version)}`]
  if (days !== null) found.push(sql`answers.day BETWEEN ${day(days.from)} AND ${day(days.to)}`)
  if (answer_id !== null) found.push(sql`answers.answer_id = ${uuid(answer_id)}`)
  if (engines !== null) found.push(sql`answers.engine IN ${list('String', engines)}`)
  if (country === 'none') found.push(sql`isNull(answers.country)`)
  else if (country !== null) found.push(sql`answers.country = ${text(country)}`)
  if (question_ids !== null) found.push(isOneOf(sql`answers.question_id`, 'UUID', question_ids))
  if (removed_question_ids.length > 0)
    found.push(sql`NOT ${isOneOf(sql`answers.question_id`, 'UUID', removed_question_ids)}`)
  if (status !== null) found.push(sql`answers.state = ${text(status)}`)
  // Runs without an answer have no known mentions or citations.
  if (mentioned !== null || cited !== null) found.push(sql`answers.state = 'answered'`)
  if (mentioned !== null) found.push(mentioned ? sql`answers.own_position > 0` : sql`answers.own_position = 0`)
  // Unobserved citations are unknown.
  if (cited !== null)
    found.push(sql`answers.citations_observed = 1`, sql`(${ownCitations(filter)} > 0) = ${uint(cited ? 1 : 0)}`)
  return found
}

/** How many answers there are by question, of all states. */
export const askedQuestions = (filter: AnswerFilter) => rows(
  Type.Object({ question_id: Type.String(), answers: count() }),
)`
  SELECT toString(answers.question_id) AS question_id, count() AS answers
  FROM ${COUNTED}
  WHERE ${and(conditionsOf(filter))}
  GROUP BY question_id
  ORDER BY question_id`

/** Rows of the brand, in any table of answers. */
export const ofBrand = ({ brand }: Pick<AnswerFilter, 'brand'>): Fragment =>
  sql`account_id = ${uuid(brand.account_id)} AND brand_id = ${uuid(brand.id)}`

/** How many pages of the brand an answer cites. */
export const ownCitations = ({ brand }: Pick<AnswerFilter, 'brand'>): Fragment =>
  sql`arrayCount(domain -> ${isBelow(brand.domains)}, answers.cited_domains)`

/** Whether the host of a citation is one of these domains, or a subdomain. */
export const isBelow = (domains: readonly string[]): Fragment =>
  or(domains.map((each) => sql`domain = ${text(each)} OR endsWith(domain, ${text(`.${each}`)})`))

const Part = { answer_id: Type.String(), revision: count() }

/** The citations of these answers, of all their revisions. */
export const citationsOf = (brand: FoundBrand, keys: readonly AnswerKey[]) => rows(
  Type.Object({
    ...Part,
    position: count(),
    url: Type.String(),
    domain: Type.String(),
    title: text_or_null,
    resolved: Type.String(),
  }),
)`
  SELECT toString(answer_citations.answer_id) AS answer_id, revision, toUInt64(answer_citations.position) AS position, url,
    toString(answer_citations.domain) AS domain, title, toString(answer_citations.resolved) AS resolved
  FROM spoor.answer_citations FINAL
  WHERE ${ofBrand({ brand })} AND ${areAt(sql`answer_citations`, keys)}
  ORDER BY answer_id, revision, position`

/** The mentions of these answers in one version, of all their revisions. */
export const mentionsOf = (brand: FoundBrand, version: number, keys: readonly AnswerKey[]) => rows(
  Type.Object({
    ...Part,
    tracked_id: Type.String(),
    position: count(),
    text_offset: count(),
    occurrences: count(),
    sentiment: Type.String(),
  }),
)`
  SELECT toString(answer_mentions.answer_id) AS answer_id, revision, toString(answer_mentions.tracked_id) AS tracked_id,
    toUInt64(answer_mentions.position) AS position, toUInt64(answer_mentions.offset) AS text_offset,
    toUInt64(answer_mentions.occurrences) AS occurrences, toString(answer_mentions.sentiment) AS sentiment
  FROM spoor.answer_mentions FINAL
  WHERE ${ofBrand({ brand })} AND mentions_version = ${uint64(version)}
    AND ${areAt(sql`answer_mentions`, keys)}
  ORDER BY answer_id, revision, position, tracked_id`
