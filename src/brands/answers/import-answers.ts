/** Imports a file of answers into a brand: the same file twice changes nothing (account API 3, imports). */
import type { AnswerExporter, AnswerFormat, QuestionCreation } from '#contract/vocabulary.ts'
import type { FoundBrand } from '../find-brand.ts'
import { addPlanEngine } from '../plan-engines.ts'
import { recordQuestionRun } from '../questions/question-runs.ts'
import { idOfTool } from './answer-identity.ts'
import type { AnswerRecord } from './answer-record.ts'
import { deleteAnswersAt, storedContents } from './answers.sql.ts'
import { findImportedQuestions, identityOf } from './import-questions.ts'
import { readCurrentVersion } from './mention-version.ts'
import { type PlannedAnswer, type PlanReceipt, planImport, type StoredAnswer } from './plan-import.ts'
import { readAnswerFile } from './read-answer-file.ts'
import { existingQuestions } from './removed-questions.ts'
import { type AnswersContext, type StorableAnswer, storeEngineAnswers } from './store-answers.ts'

export interface AnswerImportInput {
  brand: FoundBrand
  bytes: Buffer
  format: AnswerFormat
  exporter: AnswerExporter | null
  replaces: boolean
  create_questions: QuestionCreation
}

export interface AnswerImportReceipt extends PlanReceipt {
  questions_created_active: number
  questions_created_archived: number
  /** The number of tags of created questions that were left out, because a question has at most ten. */
  tags_left_out: number
}

const IDS_AT_ONCE = 5_000
const ANSWERS_AT_ONCE = 5_000

/** @throws Refusal not_readable, too_large: the file as a whole; single records are refused in the receipt. */
export async function importAnswers(ctx: AnswersContext, input: AnswerImportInput): Promise<AnswerImportReceipt> {
  const { brand, bytes, format, exporter, replaces, create_questions } = input
  const read = [...readAnswerFile({ bytes, format, exporter, brand_name: brand.name, now: ctx.clock.now() })]
  const records = read.flatMap((each) => ('record' in each ? [each.record] : []))
  const moved_to_new =
    replaces || create_questions === 'none' ? new Set<AnswerRecord>() : await findMovedToNew(ctx, brand, records)
  const asked = records.filter((record) => !moved_to_new.has(record))
  const questions = await findImportedQuestions(ctx, brand, asked, create_questions)
  const { answers, moved, receipt } = await planImport({
    brand_id: brand.id,
    records: read,
    replaces,
    questionIdOf: (record) => questions.ids.get(identityOf(record)) ?? null,
    moved_to_new,
    findStored: (ids) => findStored(ctx, brand, ids),
  })
  await recordUse(ctx, brand, answers)
  // The tables keep answers by their day, so those of another day would stay beside the new ones.
  for (let at = 0; at < moved.length; at += IDS_AT_ONCE) {
    for (const command of deleteAnswersAt(brand, moved.slice(at, at + IDS_AT_ONCE))) await ctx.evidence.run(command)
  }
  for (let at = 0; at < answers.length; at += ANSWERS_AT_ONCE) {
    await storeEngineAnswers(ctx, brand, answers.slice(at, at + ANSWERS_AT_ONCE).map(storable))
  }
  return {
    ...receipt,
    questions_created_active: questions.created_active,
    questions_created_archived: questions.created_archived,
    tags_left_out: questions.tags_left_out,
  }
}

/**
 * Records of answers that are known with another question than theirs, which the brand lacks. They are refused, so that
 * their questions are not created.
 */
async function findMovedToNew(
  ctx: AnswersContext,
  brand: FoundBrand,
  records: readonly AnswerRecord[],
): Promise<Set<AnswerRecord>> {
  const { ids: questions } = await findImportedQuestions(ctx, brand, [], 'none')
  const of_new = records.filter((record) => !questions.has(identityOf(record)))
  const ids = of_new.flatMap((record) => idOfTool(brand.id, record) ?? [])
  const stored = ids.length === 0 ? new Map<string, StoredAnswer>() : await findStored(ctx, brand, ids)
  const first = new Map<string, AnswerRecord>()
  return new Set(
    records.filter((record) => {
      const id = idOfTool(brand.id, record)
      if (id === null) return false
      const earlier = first.get(id)
      if (earlier === undefined) first.set(id, record)
      const is_known = stored.has(id) || (earlier !== undefined && identityOf(earlier) !== identityOf(record))
      return is_known && !questions.has(identityOf(record))
    }),
  )
}

/** The stored answers with these ids, without those of removed questions, which may not be erased yet. */
async function findStored(
  { control, evidence }: AnswersContext,
  brand: FoundBrand,
  ids: readonly string[],
): Promise<Map<string, StoredAnswer>> {
  const stored = new Map<string, StoredAnswer>()
  const version = await readCurrentVersion(control, brand)
  const known = await existingQuestions(control, brand.id)
  const unique = [...new Set(ids)]
  for (let at = 0; at < unique.length; at += IDS_AT_ONCE) {
    const rows = await evidence.all(storedContents(brand, version, unique.slice(at, at + IDS_AT_ONCE)))
    for (const { answer_id, content_sha256, day, revision, question_id } of rows) {
      if (known.has(question_id)) stored.set(answer_id, { content_sha256, day, revision })
    }
  }
  return stored
}

/**
 * Adds the engines to the plan, and updates when questions were last asked, before the answers are stored. After a
 * crash in between, the import repeats both.
 */
async function recordUse(
  { control }: AnswersContext,
  brand: FoundBrand,
  answers: readonly PlannedAnswer[],
): Promise<void> {
  const newest = new Map<string, PlannedAnswer>()
  for (const answer of answers) {
    const key = `${answer.question_id} ${answer.record.engine}`
    const known = newest.get(key)
    if (known === undefined || known.record.asked_at < answer.record.asked_at) newest.set(key, answer)
  }
  const engines = new Set(answers.map(({ record }) => record.engine))
  await control.transaction(async (trx) => {
    for (const engine of engines)
      await addPlanEngine(trx, { account_id: brand.account_id, engine, reason: 'has_answers' })
    for (const { question_id, record } of newest.values()) {
      const { engine, asked_at, state } = record
      await recordQuestionRun(trx, { question_id, engine, asked_at, state })
    }
  })
}

/**
 * Exports do not contain whether the country was passed to the engine, nor the positions of citation marks in the text.
 */
function storable({
  answer_id,
  content_sha256,
  question_id,
  replaced_revision,
  record,
}: PlannedAnswer): StorableAnswer {
  const { question: _text, question_external_id: _id, tags: _tags, ...answer }: AnswerRecord = record
  const cost_basis = record.cost === null ? null : ('imported' as const)
  return {
    ...answer,
    answer_id,
    content_sha256,
    question_id,
    replaced_revision,
    country_applied: null,
    cited_spans: marksOf(record),
    cost_basis,
  }
}

/** Links to cited pages within the text (`[1](https://…)`), which name the page and not the brand. */
function marksOf({ text, citations }: AnswerRecord): { from: number; to: number }[] {
  if (text === null || citations === null || citations.length === 0) return []
  return [...text.matchAll(MARK)].map(({ 0: mark, index }) => ({ from: index, to: index + mark.length }))
}

/** The forms of citations in the texts of OpenAI and xAI. */
const MARK = /\(\[[^[\]()\n]{1,253}\]\(https?:\/\/[^()\s]{1,4000}\)\)|\[\[\d{1,4}\]\]\(https?:\/\/[^()\s]{1,4000}\)/g
