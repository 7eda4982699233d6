import Type from 'typebox'
import { count, day as dayOf, type Fragment, list, rows, sql, tuples, uint64, uuid } from '#evidence/sql.ts'
import type { FoundBrand } from '../find-brand.ts'

type OfBrand = Pick<FoundBrand, 'id' | 'account_id'>

const ofBrand = ({ account_id, id }: OfBrand): Fragment =>
  sql`account_id = ${uuid(account_id)} AND brand_id = ${uuid(id)}`

/** What is stored under these ids: the content of the counting revision. */
export const storedContents = (brand: OfBrand, answerIds: readonly string[]) => rows(
  Type.Object({ answer_id: Type.String(), content_sha256: Type.String(), revision: count() }),
)`
  SELECT toString(answer_id) AS answer_id, argMax(answers.content_sha256, answers.revision) AS content_sha256,
    max(answers.revision) AS revision
  FROM spoor.answers
  WHERE ${ofBrand(brand)} AND answers.answer_id IN ${list('UUID', answerIds)}
  GROUP BY answer_id
  ORDER BY answer_id`

/** Where a page of answers begins: after this one. */
export interface AnswerPlace {
  day: string
  answer_id: string
}

/** A page of answers with text, in the order of the table, to search for mentions. */
export const answerTexts = (
  brand: OfBrand,
  { after, from_revision, limit }: { after: AnswerPlace | null; from_revision: number; limit: number },
) => rows(
  Type.Object({
    ...{ day: Type.String(), answer_id: Type.String(), revision: count() },
    ...{ text: Type.String(), cited_spans: Type.String() },
  }),
)`
  SELECT toString(day) AS day, toString(answer_id) AS answer_id, revision, assumeNotNull(text) AS text, cited_spans
  FROM spoor.answers FINAL
  WHERE ${ofBrand(brand)} AND isNotNull(text) AND state = 'answered' AND revision >= ${uint64(from_revision)}
    AND ${after === null ? sql`1` : sql`(answers.day, answers.answer_id) > ${tuples('Tuple(Date, UUID)', [[after.day, after.answer_id]])}[1]`}
  ORDER BY answers.day, answers.answer_id
  LIMIT ${uint64(limit)}`

/** Sentiments that people or engines gave to mentions of these answers. */
export const classifiedMentions = (brand: OfBrand, version: number, answerIds: readonly string[]) => rows(
  Type.Object({ answer_id: Type.String(), tracked_id: Type.String(), sentiment: Type.String() }),
)`
  SELECT toString(answer_id) AS answer_id, toString(tracked_id) AS tracked_id, toString(argMax(answer_mentions.sentiment, answer_mentions.revision)) AS sentiment
  FROM spoor.answer_mentions
  WHERE ${ofBrand(brand)} AND mentions_version = ${uint64(version)} AND answer_mentions.answer_id IN ${list('UUID', answerIds)}
  GROUP BY answer_id, tracked_id
  ORDER BY answer_id, tracked_id`

/** Every brand and question that answers are stored of. */
export const answeredQuestions = rows(
  Type.Object({ account_id: Type.String(), brand_id: Type.String(), question_id: Type.String() }),
)`
  SELECT DISTINCT toString(account_id) AS account_id, toString(brand_id) AS brand_id, toString(question_id) AS question_id
  FROM spoor.answers
  ORDER BY account_id, brand_id, question_id`

/** How many answers a brand has, by question. */
export const answerCounts = (brand: OfBrand) => rows(Type.Object({ question_id: Type.String(), answers: count() }))`
  SELECT toString(question_id) AS question_id, count() AS answers
  FROM spoor.answers FINAL
  WHERE ${ofBrand(brand)}
  GROUP BY question_id
  ORDER BY question_id`

const PARTS: readonly Fragment[] = [sql`spoor.answer_mentions`, sql`spoor.answer_citations`]

/**
 * Deletes the answers of some questions; what depends on them goes first, so that a crash leaves work that is found
 * again.
 */
export const deleteAnswers = (brand: OfBrand, questionIds: readonly string[]): Fragment[] => {
  const questions = sql`question_id IN ${list('UUID', questionIds)}`
  const parts = PARTS.map(
    (table) => sql`DELETE FROM ${table} WHERE ${ofBrand(brand)}
    AND answer_id IN (SELECT answer_id FROM spoor.answers WHERE ${ofBrand(brand)} AND ${questions})`,
  )
  return [...parts, sql`DELETE FROM spoor.answers WHERE ${ofBrand(brand)} AND ${questions}`]
}

/** Deletes the mentions of all versions before one. */
export const deleteMentionsBefore = (brand: OfBrand, version: number): Fragment =>
  sql`DELETE FROM spoor.answer_mentions WHERE ${ofBrand(brand)} AND mentions_version < ${uint64(version)}`

/** How many answers of a brand are of days before one. */
export const answerCountBefore = (brand: OfBrand, first_day: string) => rows(Type.Object({ answers: count() }))`
  SELECT count() AS answers
  FROM spoor.answers
  WHERE ${ofBrand(brand)} AND day < ${dayOf(first_day)}`

/** Deletes the answers of days before one; the answers themselves last, so that a crash leaves work that is found. */
export const deleteAnswersBefore = (brand: OfBrand, first_day: string): Fragment[] =>
  [...PARTS, sql`spoor.answers`].map(
    (table) => sql`DELETE FROM ${table} WHERE ${ofBrand(brand)} AND day < ${dayOf(first_day)}`,
  )
