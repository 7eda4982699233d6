import Type, { type Static } from 'typebox'
import { count, day as dayOf, type Fragment, list, rows, sql, tuples, uint64, uuid } from '#evidence/sql.ts'
import type { FoundBrand } from '../find-brand.ts'
import { type AnswerKey, areAt } from './read-answers.sql.ts'

type OfBrand = Pick<FoundBrand, 'id' | 'account_id'>

const text_or_null = Type.Union([Type.String(), Type.Null()])

const ofBrand = ({ account_id, id }: OfBrand): Fragment =>
  sql`account_id = ${uuid(account_id)} AND brand_id = ${uuid(id)}`

/** The stored answers with these ids. An answer without its row here, as after a crash, is stored again. */
export const storedContents = (brand: OfBrand, version: number, answerIds: readonly string[]) => rows(
  Type.Object({
    answer_id: Type.String(),
    day: Type.String(),
    content_sha256: Type.String(),
    revision: count(),
    question_id: Type.String(),
  }),
)`
  WITH
  counted AS (
    SELECT answer_id, day, revision
    FROM spoor.counted_answers
    WHERE ${ofBrand(brand)} AND mentions_version = ${uint64(version)} AND answer_id IN ${list('UUID', answerIds)}
  )
  SELECT toString(answers.answer_id) AS answer_id, toString(argMax(answers.day, answers.revision)) AS day,
    argMax(answers.content_sha256, answers.revision) AS content_sha256, max(answers.revision) AS revision,
    toString(argMax(answers.question_id, answers.revision)) AS question_id
  FROM spoor.answers
  WHERE ${ofBrand(brand)} AND answers.answer_id IN ${list('UUID', answerIds)}
    AND (answers.answer_id, answers.day, answers.revision) IN (counted)
  GROUP BY answers.answer_id
  ORDER BY answer_id`

const StoredTextRow = Type.Object({
  day: Type.String(),
  answer_id: Type.String(),
  revision: count(),
  text: text_or_null,
  cited_spans: Type.String(),
  question_id: Type.String(),
  engine: Type.String(),
  surface: Type.String(),
  model: text_or_null,
  asked_at: Type.String(),
  country: text_or_null,
  country_applied: Type.Union([count(), Type.Null()]),
  state: Type.String(),
  web_search: Type.String(),
  citations_observed: count(),
})
/** An answer to search for mentions; `text` is null if it has none. */
export type StoredText = Static<typeof StoredTextRow>

/** A page of answers in the order of the table. */
export const answerTexts = (
  brand: OfBrand,
  { after, from_revision, limit }: { after: AnswerKey | null; from_revision: number; limit: number },
) =>
  storedTexts(brand, sql`revision >= ${uint64(from_revision)} AND ${after === null ? sql`1` : isAfter(after)}`, limit)

/** These answers. */
export const answerTextsAt = (brand: OfBrand, answers: readonly AnswerKey[]) =>
  storedTexts(brand, areAt(sql`answers`, answers), answers.length)

const storedTexts = (brand: OfBrand, condition: Fragment, limit: number) => rows(StoredTextRow)`
  SELECT toString(answers.day) AS day, toString(answers.answer_id) AS answer_id, revision,
    if(answers.state = 'answered', answers.text, NULL) AS text, cited_spans,
    toString(answers.question_id) AS question_id, toString(answers.engine) AS engine,
    toString(answers.surface) AS surface, toString(answers.model) AS model,
    toString(answers.asked_at) AS asked_at, toString(answers.country) AS country,
    toUInt64(answers.country_applied) AS country_applied, toString(answers.state) AS state,
    toString(answers.web_search) AS web_search, toUInt64(answers.citations_observed) AS citations_observed
  FROM spoor.answers FINAL
  WHERE ${ofBrand(brand)} AND ${condition}
  ORDER BY answers.day, answers.answer_id
  LIMIT ${uint64(limit)}`

/** A separate condition on days, because the key of the table cannot be used for the pair. */
const isAfter = ({ day, answer_id }: AnswerKey): Fragment => sql`answers.day >= ${dayOf(day)}
    AND (answers.day, answers.answer_id) > ${tuples('Tuple(Date, UUID)', [[day, answer_id]])}[1]`

/** Sentiments that people or engines gave to mentions of these answers. */
export const classifiedMentions = (brand: OfBrand, version: number, answers: readonly AnswerKey[]) => rows(
  Type.Object({ answer_id: Type.String(), tracked_id: Type.String(), sentiment: Type.String() }),
)`
  SELECT toString(answer_mentions.answer_id) AS answer_id, toString(answer_mentions.tracked_id) AS tracked_id,
    toString(argMax(answer_mentions.sentiment, answer_mentions.revision)) AS sentiment
  FROM spoor.answer_mentions FINAL
  WHERE ${ofBrand(brand)} AND mentions_version = ${uint64(version)} AND ${areAt(sql`answer_mentions`, answers)}
  GROUP BY answer_id, tracked_id
  ORDER BY answer_id, tracked_id`

/** The pages that these answers cite, of all their revisions. */
export const citedPages = (brand: OfBrand, answers: readonly AnswerKey[]) => rows(
  Type.Object({
    answer_id: Type.String(),
    revision: count(),
    url: Type.String(),
    domain: Type.String(),
    resolved: Type.String(),
  }),
)`
  SELECT toString(answer_citations.answer_id) AS answer_id, revision, url,
    toString(answer_citations.domain) AS domain, toString(answer_citations.resolved) AS resolved
  FROM spoor.answer_citations FINAL
  WHERE ${ofBrand(brand)} AND ${areAt(sql`answer_citations`, answers)}
  ORDER BY answer_id, revision, position`

/** Every brand and question with stored answers. */
export const answeredQuestions = rows(
  Type.Object({ account_id: Type.String(), brand_id: Type.String(), question_id: Type.String() }),
)`
  SELECT DISTINCT toString(account_id) AS account_id, toString(brand_id) AS brand_id, toString(question_id) AS question_id
  FROM spoor.answers FINAL
  ORDER BY account_id, brand_id, question_id`

/** How many answers a brand has, by question. */
export const answerCounts = (brand: OfBrand) => rows(Type.Object({ question_id: Type.String(), answers: count() }))`
  SELECT toString(question_id) AS question_id, count() AS answers
  FROM spoor.answers FINAL
  WHERE ${ofBrand(brand)}
  GROUP BY question_id
  ORDER BY question_id`

const PARTS: readonly Fragment[] = [sql`spoor.counted_answers`, sql`spoor.answer_mentions`, sql`spoor.answer_citations`]

/** Answers of some questions, up to the limit of one deletion. A replaced answer belongs to its current question. */
export const answersOfQuestions = (brand: OfBrand, questionIds: readonly string[], limit: number) =>
  rows(Type.Object({ day: Type.String(), answer_id: Type.String() }))`
  SELECT DISTINCT toString(answers.day) AS day, toString(answers.answer_id) AS answer_id
  FROM spoor.answers FINAL
  WHERE ${ofBrand(brand)} AND question_id IN ${list('UUID', questionIds)}
  LIMIT ${uint64(limit)}`

/**
 * Deletes these answers by their keys (decisions 8.1). Dependent rows are deleted first, so that the deletion is
 * repeated after a crash.
 */
export const deleteAnswersAt = (brand: OfBrand, answers: readonly AnswerKey[]): Fragment[] =>
  [...PARTS, sql`spoor.answers`].map(
    (table) => sql`DELETE FROM ${table} WHERE ${ofBrand(brand)}
    AND (day, answer_id) IN ${tuples(
      'Tuple(Date, UUID)',
      answers.map(({ day, answer_id }) => [day, answer_id]),
    )}`,
  )

/** The number of rows of versions before this one. */
export const countedBefore = (brand: OfBrand, version: number) => rows(Type.Object({ answers: count() }))`
  SELECT count() AS answers
  FROM spoor.counted_answers
  WHERE ${ofBrand(brand)} AND mentions_version < ${uint64(version)}`

/** Deletes the counted rows and mentions of all versions before this one. */
export const deleteVersionsBefore = (brand: OfBrand, version: number): Fragment[] =>
  [sql`spoor.answer_mentions`, sql`spoor.counted_answers`].map(
    (table) => sql`DELETE FROM ${table} WHERE ${ofBrand(brand)} AND mentions_version < ${uint64(version)}`,
  )

/** The number of answers of a brand before a day. */
export const answerCountBefore = (brand: OfBrand, first_day: string) => rows(Type.Object({ answers: count() }))`
  SELECT count() AS answers
  FROM spoor.answers
  WHERE ${ofBrand(brand)} AND day < ${dayOf(first_day)}`

/** Deletes the answers before a day, the answers themselves last, so that the deletion is repeated after a crash. */
export const deleteAnswersBefore = (brand: OfBrand, first_day: string): Fragment[] =>
  [...PARTS, sql`spoor.answers`].map(
    (table) => sql`DELETE FROM ${table} WHERE ${ofBrand(brand)} AND day < ${dayOf(first_day)}`,
  )
