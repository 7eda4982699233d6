import Type from 'typebox'
import { count, rows, uuid } from '#evidence/sql.ts'

const AnswerCount = Type.Object({ answers: count() })

/** The stored answers of a brand, each once. */
export const storedAnswers = (account_id: string, brand_id: string) =>
  rows(AnswerCount)`
  SELECT uniqExact(answer_id) AS answers
  FROM spoor.answers
  WHERE account_id = ${uuid(account_id)} AND brand_id = ${uuid(brand_id)}`
