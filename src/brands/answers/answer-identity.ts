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
  const { engine, country, asked_at, run, text } = record
  const content_sha256 = hashOf({ question_id, ...record })
  const known_by_tool = idOfTool(brand_id, record)
  if (known_by_tool !== null) return { answer_id: known_by_tool, content_sha256, record }
  const key = JSON.stringify([brand_id, 'content', engine, question_id, country, asked_at, run, hashOf(text)])
  const ordinal = equals.get(key) ?? 1
  equals.set(key, ordinal + 1)
  return { answer_id: uuidOf(`${key} ${ordinal}`), content_sha256, record }
}

/** The id of an answer that its tool names, whatever its question; null: it has no such name. */
export function idOfTool(brand_id: string, { source_tool, external_id }: AnswerRecord): string | null {
  if (source_tool === null || external_id === null) return null
  return uuidOf(`${JSON.stringify([brand_id, 'external', source_tool, external_id])} 1`)
}

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')
