/** The form of questions to add, checked all at once (account API 2.4). */

import { createHash } from 'node:crypto'
import { MAX_QUESTION_CHARACTERS } from '#contract/account-api/questions.ts'
import { COUNTRIES } from '#contract/countries.ts'
import { quoted } from '#foreign-text.ts'
import { foldCase, hasControlCharacters, isName, isVisible, plainName } from '#names.ts'
import { type FieldFault, InvalidRequest } from '../invalid-request.ts'

export interface QuestionForm {
  text: string
  country: string | null
  tags: string[]
}

/** A question as it was sent: its contract's form, with members that may be left out. */
export interface SentQuestion {
  text: string
  country?: string | null
  tags?: readonly string[]
}

/** Questions in the form in which they are kept. @throws InvalidRequest with every fault of every item. */
export function readQuestionForms(sent: readonly SentQuestion[]): QuestionForm[] {
  const faults = findQuestionFaults({ questions: sent })
  if (faults.length > 0) throw new InvalidRequest(faults)
  return sent.map(({ text, country = null, tags = [] }) => ({
    text: plainName(text),
    country,
    tags: [...new Set(tags.map(plainName))],
  }))
}

/** Checks a body of questions beyond its schema; the schema reports members of a wrong type. */
export function findQuestionFaults(body: unknown): FieldFault[] {
  const questions = isRecord(body) && Array.isArray(body.questions) ? (body.questions as unknown[]) : []
  return questions.flatMap((question, index) =>
    isRecord(question) ? [...faultsOfQuestion(question)].map((fault) => below(['questions', index], fault)) : [],
  )
}

function* faultsOfQuestion({ text, country, tags }: Readonly<Record<string, unknown>>): Generator<FieldFault> {
  if (typeof text === 'string') yield* faultsOfText(text)
  if (typeof country === 'string' && !COUNTRIES.has(country)) {
    yield {
      path: ['country'],
      code: 'invalid_country',
      message: `${quoted(country)} is not a country: give a code of ISO 3166-1 alpha-2 in capitals, or null.`,
    }
  }
  for (const [index, tag] of Array.isArray(tags) ? tags.entries() : []) {
    if (typeof tag !== 'string' || isName(plainName(tag))) continue
    yield { path: ['tags', index], code: 'invalid', message: refuseTag(tag) }
  }
}

/** The message for a text that is not a valid tag. */
export const refuseTag = (text: string): string => `${quoted(text)} is not a tag: give 1 to 64 visible characters.`

function* faultsOfText(text: string): Generator<FieldFault> {
  const path = ['text']
  const plain = plainName(text)
  const length = [...plain].length
  if (!isVisible(plain)) yield { path, code: 'invalid', message: 'The text is empty: give the question.' }
  else if (length > MAX_QUESTION_CHARACTERS) {
    yield {
      path,
      code: 'invalid',
      message: `The text has ${length} characters; at most ${MAX_QUESTION_CHARACTERS} are allowed.`,
    }
  } else if (hasControlCharacters(plain) || !plain.isWellFormed()) {
    yield { path, code: 'invalid', message: `${quoted(text)} holds control characters or line ends: leave them out.` }
  }
}

/** The identity of a question of a brand: SHA-256 in hex of its text (NFC, without case, trimmed) and country. */
export function identifyQuestion({ text, country }: Pick<QuestionForm, 'text' | 'country'>): string {
  const folded = foldCase(plainName(text)).normalize('NFC')
  return createHash('sha256')
    .update(`${folded}\n${country === null ? '' : country}`)
    .digest('hex')
}

const below = (path: readonly (string | number)[], fault: FieldFault): FieldFault => ({
  ...fault,
  path: [...path, ...fault.path],
})

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
