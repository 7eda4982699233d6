import Type from 'typebox'
import { oneOf } from '#contract/fields.ts'
import { ANSWER_STATES, ENGINES, type ReportInterval } from '#contract/vocabulary.ts'
import { and, count, day, type Fragment, rows, sql } from '#evidence/sql.ts'
import { type AnswerFilter, COUNTED, conditionsOf, ownCitations } from '../answers/read-answers.sql.ts'

/** The answers that a report is about. */
export interface ReportFilter extends Omit<AnswerFilter, 'days'> {
  days: { from: string; to: string }
}

const engine = oneOf(ENGINES)
const surface = oneOf(['consumer_ui', 'api', 'import'])
const text_or_null = Type.Union([Type.String(), Type.Null()])

/** With a filter on the country, answers without that country applied do not count (account API 2.2). */
export const isOfCountry = ({ country }: ReportFilter): Fragment =>
  country === null || country === 'none' ? sql`1` : sql`ifNull(answers.country_applied, 1) = 1`

/** The day on which the period of an answer begins. */
function periodStart({ days }: ReportFilter, interval: ReportInterval | 'window'): Fragment {
  if (interval === 'window') return sql`${day(days.from)}`
  if (interval === 'day') return sql`answers.day`
  const begin = interval === 'week' ? sql`toMonday(answers.day)` : sql`toStartOfMonth(answers.day)`
  return sql`greatest(${begin}, ${day(days.from)})`
}

/** Answers by engine, day and state. */
export const runCounts = (filter: ReportFilter) => rows(
  Type.Object({
    engine,
    on_day: Type.String(),
    state: oneOf(ANSWER_STATES),
    is_of_country: count(),
    web_search: oneOf(['used', 'not_used', 'unknown']),
    answers: count(),
  }),
)`
  SELECT toString(answers.engine) AS engine, toString(answers.day) AS on_day, toString(answers.state) AS state,
    toUInt64(${isOfCountry(filter)}) AS is_of_country, toString(answers.web_search) AS web_search, count() AS answers
  FROM ${COUNTED}
  WHERE ${and(conditionsOf(filter))}
  GROUP BY engine, on_day, state, is_of_country, web_search
  ORDER BY engine, on_day, state, is_of_country, web_search`

/** When each model answered first and last. */
export const answeringModels = (filter: ReportFilter) => rows(
  Type.Object({
    engine,
    surface,
    model: text_or_null,
    first_ms: count(),
    last_ms: count(),
    answers: count(),
  }),
)`
  SELECT toString(answers.engine) AS engine, toString(answers.surface) AS surface, toString(answers.model) AS model,
    toUInt64(toUnixTimestamp64Milli(min(answers.asked_at))) AS first_ms,
    toUInt64(toUnixTimestamp64Milli(max(answers.asked_at))) AS last_ms, count() AS answers
  FROM ${COUNTED}
  WHERE ${and([...conditionsOf(filter), sql`answers.state = 'answered'`, isOfCountry(filter)])}
  GROUP BY engine, surface, model
  ORDER BY first_ms, engine, surface, model`

const sum = Type.Integer({ minimum: 0 })
/** What answers add to metrics; see `unpackSums` for the order. */
const Parts = Type.Tuple([sum, sum, sum, sum, sum, sum, sum, sum, sum, sum, sum, sum, sum, sum])
const PackedSums = Type.Object({
  question_id: Type.String(),
  engine,
  surface,
  model: text_or_null,
  country: text_or_null,
  periods: Type.Array(Type.String()),
  parts: Type.Array(Parts),
})

/**
 * The sums for all metrics, by question and everything that a fair comparison must control for. Each row has a list of
 * its periods with their sums; a row for each period would repeat its texts up to 365 times.
 */
export const metricSums = (filter: ReportFilter, interval: ReportInterval | 'window') => rows(PackedSums)`
  WITH
  counted AS (
    SELECT ${periodStart(filter, interval)} AS start, answers.question_id AS on_question, answers.engine AS by_engine,
      answers.surface AS by_surface, answers.model AS by_model, answers.country AS in_country,
      answers.own_position AS own_position, answers.own_sentiment AS own_sentiment,
      length(answers.tracked_ids) AS tracked, answers.citations_observed = 1 AS is_observed,
      length(answers.cited_domains) AS cited, ${ownCitations(filter)} AS own_cited
    FROM ${COUNTED}
    WHERE ${and([...conditionsOf(filter), sql`answers.state = 'answered'`, isOfCountry(filter)])}
  ),
  summed AS (
    SELECT start, on_question, by_engine, by_surface, by_model, in_country,
      [toUInt32(count()), toUInt32(countIf(own_position > 0)), toUInt32(sum(tracked)), toUInt32(sum(own_position)),
        toUInt32(countIf(own_position > 0 AND own_sentiment = 'positive')),
        toUInt32(countIf(own_position > 0 AND own_sentiment = 'neutral')),
        toUInt32(countIf(own_position > 0 AND own_sentiment = 'negative')),
        toUInt32(countIf(own_position > 0 AND own_sentiment = 'mixed')),
        toUInt32(countIf(own_position > 0 AND own_sentiment = 'unknown')),
        toUInt32(countIf(is_observed)), toUInt32(countIf(is_observed AND own_cited > 0)),
        toUInt32(sumIf(cited, is_observed)), toUInt32(sumIf(own_cited, is_observed)),
        toUInt32(countIf(tracked > 0 AND own_position = 0))] AS of_period
    FROM counted
    GROUP BY start, on_question, by_engine, by_surface, by_model, in_country
  )
  SELECT toString(on_question) AS question_id, toString(by_engine) AS engine, toString(by_surface) AS surface,
    toString(by_model) AS model, toString(in_country) AS country, groupArray(toString(start)) AS periods,
    groupArray(of_period) AS parts
  FROM summed
  GROUP BY on_question, by_engine, by_surface, by_model, in_country
  ORDER BY question_id, engine, surface, model, country`

/** What answers say of each tracked brand, by question. */
export const trackedSums = (filter: ReportFilter) => rows(
  Type.Object({
    question_id: Type.String(),
    tracked_id: Type.String(),
    naming: count(),
    position_sum: count(),
    without_own: count(),
  }),
)`
  SELECT toString(answers.question_id) AS question_id, toString(tracked) AS tracked_id, count() AS naming,
    sum(position) AS position_sum, countIf(answers.own_position = 0) AS without_own
  FROM ${COUNTED}
  ARRAY JOIN answers.tracked_ids AS tracked, answers.tracked_positions AS position
  WHERE ${and([...conditionsOf(filter), sql`answers.state = 'answered'`, isOfCountry(filter)])}
  GROUP BY answers.question_id, tracked
  ORDER BY question_id, tracked_id`
