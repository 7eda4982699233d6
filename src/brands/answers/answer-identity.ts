/** The identity by which an imported answer is recognized in later imports (account API 3). */
import { createHash } from 'node:crypto'
import type { AnswerRecord } from './answer-record.ts'
import { uuidOf } from './uuid-of.ts'

interface AnswerIdentity {
  /** The same for the same answer in any file of any import. */
  answer_id: string
  content_sha256: string
  record: AnswerRecord
}

/**
 * Tool and external id, if the answer has them; else question, time and text, and the ordinal among equal answers of
 * the file.
 */
export function identifyAnswer(
  brand_id: string,
  question_id: string,
  record: AnswerRecord,
  equals: Map<string, number>,
): AnswerIdentity {
  const { source_tool, external_id, engine, country, asked_at, run, text } = record
  const content_sha256 = hashOf({ question_id, ...record })
  const has_id = source_tool !== null && external_id !== null
  const key = has_id
    ? JSON.stringify([brand_id, 'external', source_tool, external_id])
    : JSON.stringify([brand_id, 'content', engine, question_id, country, asked_at, run, hashOf(text)])
  const ordinal = has_id ? 1 : (equals.get(key) ?? 1)
  if (!has_id) equals.set(key, ordinal + 1)
  return { answer_id: uuidOf(`${key} ${ordinal}`), content_sha256, record }
}

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')
