import Type from 'typebox'
import { and, count, day, type Fragment, rows, sql, uint64, uuid } from '#evidence/sql.ts'
import { type AnswerFilter, type AnswerKey, COUNTED, conditionsOf, ofBrand } from '../answers/read-answers.sql.ts'

/** Answers with a mention whose sentiment is unknown. */
const isUnclassified = ({ brand, mentions_version }: AnswerFilter): Fragment =>
  sql`(answers.day, answers.answer_id, answers.revision) IN (
    SELECT answer_mentions.day, answer_mentions.answer_id, answer_mentions.revision
    FROM spoor.answer_mentions FINAL
    WHERE ${ofBrand({ brand })} AND mentions_version = ${uint64(mentions_version)} AND sentiment = 'unknown')`

/** The number of such answers, by engine. */
export const unclassifiedCounts = (filter: AnswerFilter) => rows(
  Type.Object({ engine: Type.String(), answers: count() }),
)`
  SELECT toString(answers.engine) AS engine, count() AS answers
  FROM ${COUNTED}
  WHERE ${and([...conditionsOf(filter), isUnclassified(filter)])}
  GROUP BY engine
  ORDER BY engine`

/** The answers after a position, newest day first. */
export const unclassifiedPlaces = (
  filter: AnswerFilter,
  { after, limit }: { after: AnswerKey | null; limit: number },
) => rows(Type.Object({ day: Type.String(), answer_id: Type.String() }))`
  SELECT toString(answers.day) AS day, toString(answers.answer_id) AS answer_id
  FROM ${COUNTED}
  WHERE ${and([...conditionsOf(filter), isUnclassified(filter), ...(after === null ? [] : [isAfter(after)])])}
  ORDER BY answers.day DESC, answers.answer_id
  LIMIT ${uint64(limit)}`

const isAfter = (after: AnswerKey): Fragment =>
  sql`(answers.day < ${day(after.day)} OR (answers.day = ${day(after.day)} AND answers.answer_id > ${uuid(after.answer_id)}))`
