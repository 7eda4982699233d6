import Type from 'typebox'
import { oneOf } from '#contract/fields.ts'
import { ANSWER_STATES, ENGINES, type ReportInterval } from '#contract/vocabulary.ts'
import { and, count, day, type Fragment, rows, sql, uint64 } from '#evidence/sql.ts'
import { type AnswerFilter, conditionsOf, isBelow, ofBrand } from '../answers/read-answers.sql.ts'

/** The answers that a report is about. */
export interface ReportFilter extends Omit<AnswerFilter, 'days'> {
  days: { from: string; to: string }
}

const engine = oneOf(ENGINES)
const surface = oneOf(['consumer_ui', 'api', 'import'])
const text_or_null = Type.Union([Type.String(), Type.Null()])

/** With a filter on the country, answers that were not given it do not answer what was asked (account API 2.2). */
export const isOfCountry = ({ country }: ReportFilter): Fragment =>
  country === null || country === 'none' ? sql`1` : sql`ifNull(answers.country_applied, 1) = 1`

/** The day on which the period of an answer begins. */
function periodStart({ days }: ReportFilter, interval: ReportInterval | 'window'): Fragment {
  if (interval === 'window') return sql`${day(days.from)}`
  if (interval === 'day') return sql`answers.day`
  const begin = interval === 'week' ? sql`toMonday(answers.day)` : sql`toStartOfMonth(answers.day)`
  return sql`greatest(${begin}, ${day(days.from)})`
}

/** How many answers there are by question, of all states. */
export const askedQuestions = (filter: ReportFilter) => rows(
  Type.Object({ question_id: Type.String(), answers: count() }),
)`
  SELECT toString(answers.question_id) AS question_id, count() AS answers
  FROM spoor.answers FINAL
  WHERE ${and(conditionsOf(filter))}
  GROUP BY question_id
  ORDER BY question_id`

/** Answers by engine, day and state. */
export const runCounts = (filter: ReportFilter) => rows(
  Type.Object({
    ...{ engine, on_day: Type.String(), state: oneOf(ANSWER_STATES) },
    ...{ is_of_country: count(), web_search: oneOf(['used', 'not_used', 'unknown']), answers: count() },
  }),
)`
  SELECT toString(answers.engine) AS engine, toString(answers.day) AS on_day, toString(answers.state) AS state,
    toUInt64(${isOfCountry(filter)}) AS is_of_country, toString(answers.web_search) AS web_search, count() AS answers
  FROM spoor.answers FINAL
  WHERE ${and(conditionsOf(filter))}
  GROUP BY engine, on_day, state, is_of_country, web_search
  ORDER BY engine, on_day, state, is_of_country, web_search`

/** When each model answered first and last. */
export const answeringModels = (filter: ReportFilter) => rows(
  Type.Object({
    ...{ engine, surface, model: text_or_null },
    ...{ first_ms: count(), last_ms: count(), answers: count() },
  }),
)`
  SELECT toString(answers.engine) AS engine, toString(answers.surface) AS surface, toString(answers.model) AS model,
    toUInt64(toUnixTimestamp64Milli(min(answers.asked_at))) AS first_ms,
    toUInt64(toUnixTimestamp64Milli(max(answers.asked_at))) AS last_ms, count() AS answers
  FROM spoor.answers FINAL
  WHERE ${and([...conditionsOf(filter), sql`answers.state = 'answered'`, isOfCountry(filter)])}
  GROUP BY engine, surface, model
  ORDER BY first_ms, engine, surface, model`

const Sums = Type.Object({
  ...{ period: Type.String(), question_id: Type.String(), engine, surface, model: text_or_null, country: text_or_null },
  ...{ answered: count(), naming: count(), tracked_mentions: count(), position_sum: count() },
  ...{ positive: count(), neutral: count(), negative: count(), mixed: count(), unknown: count() },
  ...{ observed: count(), citing: count(), citations: count(), own_citations: count(), missed: count() },
})

/** The parts of all metrics, by period, question and whatever a fair comparison must hold still. */
export const metricSums = (filter: ReportFilter, interval: ReportInterval | 'window') => rows(Sums)`
  WITH
  -- Of each answer: the tracked brands that it names.
  named AS (
    SELECT answer_id, revision, count() AS tracked, sumIf(position, is_own = 1) AS own_position,
      anyIf(sentiment, is_own = 1) AS own_sentiment, max(is_own) AS names_own
    FROM spoor.answer_mentions FINAL
    WHERE ${ofBrand(filter)} AND mentions_version = ${uint64(filter.mentions_version)} AND ${inDays(filter)}
    GROUP BY answer_id, revision
  ),
  -- Of each answer: the pages that it cites.
  cited AS (
    SELECT answer_id, revision, count() AS citations, countIf(${isBelow(filter.brand.domains)}) AS own
    FROM spoor.answer_citations FINAL
    WHERE ${ofBrand(filter)} AND ${inDays(filter)}
    GROUP BY answer_id, revision
  ),
  counted AS (
    SELECT answers.answer_id AS answer_id, answers.revision AS revision,
      toString(${periodStart(filter, interval)}) AS period, answers.question_id AS on_question,
      answers.engine AS by_engine, answers.surface AS by_surface, answers.model AS by_model,
      answers.country AS in_country, answers.citations_observed = 1 AS is_observed
    FROM spoor.answers FINAL
    WHERE ${and([...conditionsOf(filter), sql`answers.state = 'answered'`, isOfCountry(filter)])}
  )
  SELECT period, toString(on_question) AS question_id, toString(by_engine) AS engine, toString(by_surface) AS surface,
    toString(by_model) AS model, toString(in_country) AS country,
    count() AS answered, countIf(names_own = 1) AS naming, toUInt64(ifNull(sum(tracked), 0)) AS tracked_mentions,
    toUInt64(ifNull(sum(own_position), 0)) AS position_sum,
    countIf(names_own = 1 AND own_sentiment = 'positive') AS positive,
    countIf(names_own = 1 AND own_sentiment = 'neutral') AS neutral,
    countIf(names_own = 1 AND own_sentiment = 'negative') AS negative,
    countIf(names_own = 1 AND own_sentiment = 'mixed') AS mixed,
    countIf(names_own = 1 AND own_sentiment = 'unknown') AS unknown,
    countIf(is_observed) AS observed, countIf(is_observed AND own > 0) AS citing,
    toUInt64(ifNull(sumIf(citations, is_observed), 0)) AS citations,
    toUInt64(ifNull(sumIf(own, is_observed), 0)) AS own_citations,
    countIf(tracked > 0 AND names_own = 0) AS missed
  FROM counted
  LEFT JOIN named USING (answer_id, revision)
  LEFT JOIN cited USING (answer_id, revision)
  GROUP BY period, question_id, engine, surface, model, country
  ORDER BY period, question_id, engine, surface, model, country`

/** What answers say of each tracked brand, by question. */
export const trackedSums = (filter: ReportFilter) => rows(
  Type.Object({
    ...{ question_id: Type.String(), tracked_id: Type.String() },
    ...{ naming: count(), position_sum: count(), without_own: count() },
  }),
)`
  WITH
  named AS (
    SELECT answer_id, revision, tracked_id, position, max(is_own) OVER (PARTITION BY answer_id, revision) AS names_own
    FROM spoor.answer_mentions FINAL
    WHERE ${ofBrand(filter)} AND mentions_version = ${uint64(filter.mentions_version)} AND ${inDays(filter)}
  )
  SELECT toString(answers.question_id) AS question_id, toString(named.tracked_id) AS tracked_id, count() AS naming,
    toUInt64(sum(position)) AS position_sum, countIf(names_own = 0) AS without_own
  FROM spoor.answers FINAL
  INNER JOIN named ON named.answer_id = answers.answer_id AND named.revision = answers.revision
  WHERE ${and([...conditionsOf(filter), sql`answers.state = 'answered'`, isOfCountry(filter)])}
  GROUP BY question_id, tracked_id
  ORDER BY question_id, tracked_id`

const inDays = ({ days }: ReportFilter): Fragment => sql`day BETWEEN ${day(days.from)} AND ${day(days.to)}`
