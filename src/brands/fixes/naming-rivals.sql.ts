import Type from 'typebox'
import { and, list, rows, sql, uint64 } from '#evidence/sql.ts'
import { COUNTED, conditionsOf } from '../answers/read-answers.sql.ts'
import type { ReportFilter } from '../reports/report.sql.ts'

const ANSWERS_SHOWN = 5

/** The newest answers to each of these questions that name a tracked brand. */
export const answersNaming = (filter: ReportFilter, questionIds: readonly string[]) => rows(
  Type.Object({ question_id: Type.String(), answer_id: Type.String() }),
)`
  SELECT toString(answers.question_id) AS question_id, toString(answers.answer_id) AS answer_id
  FROM ${COUNTED}
  WHERE ${and([...conditionsOf(filter), sql`answers.state = 'answered'`, sql`notEmpty(answers.tracked_ids)`])}
    AND answers.question_id IN ${list('UUID', questionIds)}
  ORDER BY question_id, answers.asked_at DESC, answer_id
  LIMIT ${uint64(ANSWERS_SHOWN)} BY question_id`
