import Type from 'typebox'
import { oneOf } from '#contract/fields.ts'
import { CITATION_SOURCES, ENGINES } from '#contract/vocabulary.ts'
import { and, count, type Fragment, isOneOf, rows, sql, text, uint64 } from '#evidence/sql.ts'
import { COUNTED, conditionsOf, isBelow } from '../answers/read-answers.sql.ts'
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

/** The URL of a page without scheme, `www.` and fragment, which all its spellings have in common. */
const PAGE = sql`replaceRegexpOne(cutFragment(url), '^https?://(www[.])?', '')`
/** The same for hosts. */
const SITE = sql`if(startsWith(domain, 'www.'), substring(toString(domain), 5), toString(domain))`

const isObserved = ({ answers }: Pick<CitedFilter, 'answers'>): Fragment =>
  and([
    ...conditionsOf(answers),
    sql`answers.state = 'answered'`,
    sql`answers.citations_observed = 1`,
    isOfCountry(answers),
  ])

/** Own domains take precedence over those of competitors. */
const sourceOf = ({ answers, rivals }: CitedFilter): Fragment =>
  sql`multiIf(${isBelow(answers.brand.domains)}, 'own', ${isBelow(rivals)}, 'competitor', 'other')`

/**
 * Citations of answers with observed citations, with the row of the report that each belongs to. An answer may cite
 * several pages of a domain; `nth` numbers them.
 */
function citedParts(filter: CitedFilter): Fragment {
  const { dimension, source } = filter
  const conditions = [isObserved(filter)]
  if (dimension === 'url') conditions.push(sql`is_opaque = 0`)
  if (source !== null) conditions.push(sql`${sourceOf(filter)} = ${text(source)}`)
  return sql`
  cited AS (
    SELECT answers.question_id AS on_question, answers.engine AS by_engine, answers.asked_at AS at, place, nth,
      ${dimension === 'url' ? sql`cutFragment(url)` : sql`place`} AS shown, ${sourceOf(filter)} AS of_source
    FROM ${COUNTED}
    ARRAY JOIN answers.cited_urls AS url, answers.cited_domains AS domain, answers.cited_opaque AS is_opaque,
      arrayMap((url, domain) -> ${dimension === 'url' ? PAGE : SITE}, answers.cited_urls, answers.cited_domains) AS place,
      arrayEnumerateUniq(
        arrayMap((url, domain) -> ${dimension === 'url' ? PAGE : SITE}, answers.cited_urls, answers.cited_domains),
        ${dimension === 'url' ? sql`answers.cited_opaque` : sql`arrayMap(domain -> 0, answers.cited_domains)`}
      ) AS nth
    WHERE ${and(conditions)}
  )`
}

const CitedRow = Type.Object({
  place: Type.String(),
  shown: Type.String(),
  source: oneOf(CITATION_SOURCES),
  answers_citing: count(),
  citations: count(),
  engines: Type.Array(oneOf(ENGINES)),
  questions: count(),
  first_ms: count(),
  last_ms: count(),
  total_rows: count(),
})

/** A piece of the report, the most cited first. Each row has the total number of rows. */
export const citedPlaces = (filter: CitedFilter, { limit, offset }: { limit: number; offset: number }) =>
  rows(CitedRow)`
  WITH${citedParts(filter)}
  SELECT place, min(shown) AS shown, toString(min(of_source)) AS source, countIf(nth = 1) AS answers_citing,
    count() AS citations, arraySort(groupUniqArray(toString(by_engine))) AS engines,
    uniqExact(on_question) AS questions, toUInt64(toUnixTimestamp64Milli(min(at))) AS first_ms,
    toUInt64(toUnixTimestamp64Milli(max(at))) AS last_ms, count() OVER () AS total_rows
  FROM cited
  GROUP BY place
  ORDER BY answers_citing DESC, shown, place
  LIMIT ${uint64(limit)} OFFSET ${uint64(offset)}`

/** How often answers to each question cite these URLs or domains. */
export const citedByQuestion = (filter: CitedFilter, places: readonly string[]) => rows(
  Type.Object({
    place: Type.String(),
    question_id: Type.String(),
    answers_citing: count(),
    citations: count(),
  }),
)`
  WITH${citedParts(filter)}
  SELECT place, toString(on_question) AS question_id, countIf(nth = 1) AS answers_citing, count() AS citations
  FROM cited
  WHERE ${isOneOf(sql`place`, 'String', places)}
  GROUP BY place, question_id
  ORDER BY place, question_id`

/** Answers whose citations were observed, and all their citations, by question. */
export const observedByQuestion = ({ answers }: Pick<CitedFilter, 'answers'>) => rows(
  Type.Object({ question_id: Type.String(), observed: count(), citations: count(), opaque: count() }),
)`
  SELECT toString(answers.question_id) AS question_id, count() AS observed,
    sum(length(answers.cited_urls)) AS citations, sum(arraySum(answers.cited_opaque)) AS opaque
  FROM ${COUNTED}
  WHERE ${isObserved({ answers })}
  GROUP BY question_id
  ORDER BY question_id`
