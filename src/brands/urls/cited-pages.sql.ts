import Type from 'typebox'
import { oneOf } from '#contract/fields.ts'
import { CITATION_SOURCES, ENGINES } from '#contract/vocabulary.ts'
import { and, count, day, type Fragment, list, rows, sql, text, uint64 } from '#evidence/sql.ts'
import { conditionsOf, isBelow, ofBrand } from '../answers/read-answers.sql.ts'
import { isOfCountry, type ReportFilter } from '../reports/report.sql.ts'

/** The citations that a URL report is about. */
export interface CitedFilter {
  answers: ReportFilter
  dimension: 'url' | 'domain'
  /** Null: every source. */
  source: (typeof CITATION_SOURCES)[number] | null
  /** Domains of competitors. */
  rivals: readonly string[]
}

/** What spellings of one page have in common: no scheme, no `www.`, no fragment. */
const PAGE = sql`replaceRegexpOne(cutFragment(url), '^https?://(www[.])?', '')`
/** The same of hosts. */
const SITE = sql`if(startsWith(domain, 'www.'), substring(toString(domain), 5), toString(domain))`

const isObserved = ({ answers }: CitedFilter): Fragment =>
  and([
    ...conditionsOf(answers),
    sql`answers.state = 'answered'`,
    sql`answers.citations_observed = 1`,
    isOfCountry(answers),
  ])

/** Own wins over competitor. */
const sourceOf = ({ answers, rivals }: CitedFilter): Fragment =>
  sql`multiIf(${isBelow(answers.brand.domains)}, 'own', ${isBelow(rivals)}, 'competitor', 'other')`

/** Citations of answers whose citations count, with the row of the report that each belongs to. */
function citedParts(filter: CitedFilter): Fragment {
  const { answers, dimension, source } = filter
  const { from, to } = answers.days
  const conditions = [ofBrand(answers), sql`day BETWEEN ${day(from)} AND ${day(to)}`]
  if (dimension === 'url') conditions.push(sql`resolved != 'redirect_opaque'`)
  if (source !== null) conditions.push(sql`${sourceOf(filter)} = ${text(source)}`)
  return sql`
  observed AS (
    SELECT answers.answer_id AS answer_id, answers.revision AS revision, answers.question_id AS on_question,
      answers.engine AS by_engine, answers.asked_at AS at
    FROM spoor.answers FINAL
    WHERE ${isObserved(filter)}
  ),
  cited AS (
    SELECT answer_id, revision, ${dimension === 'url' ? PAGE : SITE} AS place,
      ${dimension === 'url' ? sql`cutFragment(url)` : SITE} AS shown, ${sourceOf(filter)} AS of_source
    FROM spoor.answer_citations FINAL
    WHERE ${and(conditions)}
  )`
}

const CitedRow = Type.Object({
  ...{ place: Type.String(), shown: Type.String(), source: oneOf(CITATION_SOURCES) },
  ...{ answers_citing: count(), citations: count(), engines: Type.Array(oneOf(ENGINES)), questions: count() },
  ...{ first_ms: count(), last_ms: count(), total_rows: count() },
})

/** A piece of the report, the most cited first; each row says how many rows there are. */
export const citedPlaces = (filter: CitedFilter, { limit, offset }: { limit: number; offset: number }) =>
  rows(CitedRow)`
  WITH${citedParts(filter)}
  SELECT place, min(shown) AS shown, toString(min(of_source)) AS source, uniqExact(answer_id) AS answers_citing,
    count() AS citations, arraySort(groupUniqArray(toString(by_engine))) AS engines,
    uniqExact(on_question) AS questions, toUInt64(toUnixTimestamp64Milli(min(at))) AS first_ms,
    toUInt64(toUnixTimestamp64Milli(max(at))) AS last_ms, count() OVER () AS total_rows
  FROM cited
  INNER JOIN observed USING (answer_id, revision)
  GROUP BY place
  ORDER BY answers_citing DESC, shown, place
  LIMIT ${uint64(limit)} OFFSET ${uint64(offset)}`

/** How often answers to each question cite these places. */
export const citedByQuestion = (filter: CitedFilter, places: readonly string[]) => rows(
  Type.Object({
    ...{ place: Type.String(), question_id: Type.String() },
    ...{ answers_citing: count(), citations: count() },
  }),
)`
  WITH${citedParts(filter)}
  SELECT place, toString(on_question) AS question_id, uniqExact(answer_id) AS answers_citing, count() AS citations
  FROM cited
  INNER JOIN observed USING (answer_id, revision)
  WHERE place IN ${list('String', places)}
  GROUP BY place, question_id
  ORDER BY place, question_id`

/** Answers whose citations were observed, and all their citations, by question. */
export const observedByQuestion = ({ answers }: Pick<CitedFilter, 'answers'>) => rows(
  Type.Object({ question_id: Type.String(), observed: count(), citations: count(), opaque: count() }),
)`
  WITH
  cited AS (
    SELECT answer_id, revision, count() AS citations, countIf(resolved = 'redirect_opaque') AS opaque
    FROM spoor.answer_citations FINAL
    WHERE ${ofBrand(answers)} AND day BETWEEN ${day(answers.days.from)} AND ${day(answers.days.to)}
    GROUP BY answer_id, revision
  )
  SELECT toString(answers.question_id) AS question_id, count() AS observed,
    toUInt64(ifNull(sum(cited.citations), 0)) AS citations, toUInt64(ifNull(sum(cited.opaque), 0)) AS opaque
  FROM spoor.answers FINAL
  LEFT JOIN cited ON cited.answer_id = answers.answer_id AND cited.revision = answers.revision
  WHERE ${and([...conditionsOf(answers), sql`answers.state = 'answered'`, sql`answers.citations_observed = 1`, isOfCountry(answers)])}
  GROUP BY question_id
  ORDER BY question_id`
