/** Adds a batch of questions in one transaction, once per `Idempotency-Key` (account API 2.4). */

import { createHash, randomUUID } from 'node:crypto'
import { type Clock, HOUR_MS } from '#clock.ts'
import type { AddedQuestions } from '#contract/account-api/index.ts'
import type { ControlContext } from '#control/context.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { QuestionRow } from '#control/tables.ts'
import type { FoundBrand } from '../find-brand.ts'
import { InvalidRequest } from '../invalid-request.ts'
import { isNamedIn } from '../names-in-text.ts'
import { type Capacity, capacityReached, readCapacity } from './capacity.ts'
import { describeQuestions } from './describe-question.ts'
import type { KeyedBatches } from './keyed-batches.ts'
import { identifyQuestion, type QuestionForm, readQuestionForms, type SentQuestion } from './question-forms.ts'

export const BATCH_KEPT_HOURS = 72

export interface QuestionBatch {
  brand: FoundBrand
  questions: readonly SentQuestion[]
}

/**
 * Adds those questions that the brand does not have yet, while the account has room for active ones.
 * @throws InvalidRequest (form), Refusal limit_reached (nothing was added and the account is full).
 */
export async function addQuestionBatch(
  { control, clock }: ControlContext,
  { brand, questions }: QuestionBatch,
): Promise<AddedQuestions> {
  const forms = readQuestionForms(questions)
  return control.transaction((trx) => insertQuestions(trx, clock, brand, forms))
}

/**
 * The same, once for each key of the brand: a repeat gets the kept answer.
 * @throws InvalidRequest also when the key came with another body, Refusal conflict when an earlier request with the
 *   key still runs after 10 seconds.
 */
export async function addQuestionBatchOnce(
  { control, clock, keyed_batches }: ControlContext & { keyed_batches: KeyedBatches },
  { brand, questions, key }: QuestionBatch & { key: string },
): Promise<AddedQuestions> {
  const forms = readQuestionForms(questions)
  return keyed_batches.run(`${brand.id} ${key}`, () =>
    control.transaction((trx) => insertOnce(trx, clock, { brand, key, forms })),
  )
}

async function insertOnce(
  trx: ControlTransaction,
  clock: Clock,
  { brand, key, forms }: { brand: FoundBrand; key: string; forms: readonly QuestionForm[] },
): Promise<{ answer: AddedQuestions; is_kept: boolean }> {
  const body_sha256 = createHash('sha256').update(JSON.stringify(forms)).digest('hex')
  await trx
    .deleteFrom('question_batches')
    .where('created_at', '<=', clock.now() - BATCH_KEPT_HOURS * HOUR_MS)
    .execute()
  const kept = await trx
    .selectFrom('question_batches')
    .selectAll()
    .where((is) => is.and({ brand_id: brand.id, key }))
    .executeTakeFirst()
  if (kept !== undefined && kept.body_sha256 !== body_sha256) throw keyOfAnotherBody()
  if (kept !== undefined) return { answer: JSON.parse(kept.answer), is_kept: true }
  const answer = await insertQuestions(trx, clock, brand, forms)
  const row = { brand_id: brand.id, key, body_sha256, answer: JSON.stringify(answer), created_at: clock.now() }
  await trx.insertInto('question_batches').values(row).execute()
  return { answer, is_kept: false }
}

const keyOfAnotherBody = () =>
  new InvalidRequest([
    {
      path: ['Idempotency-Key'],
      code: 'invalid',
      message: 'This key was used with another body: send a new key with a new body.',
    },
  ])

async function insertQuestions(
  trx: ControlTransaction,
  clock: Clock,
  brand: FoundBrand,
  forms: readonly QuestionForm[],
): Promise<AddedQuestions> {
  const capacity = await readCapacity(trx, brand.account_id)
  const known = await findKnown(trx, brand.id)
  const created: QuestionRow[] = []
  const rejected: AddedQuestions['rejected'] = []
  for (const [index, form] of forms.entries()) {
    const identity = identifyQuestion(form)
    const existing_id = known.get(identity) ?? null
    const is_full = capacity.active + created.length >= capacity.limit
    if (existing_id !== null) rejected.push({ index, ...DUPLICATE, existing_id })
    else if (is_full) rejected.push({ index, ...fullAccount(capacity), existing_id })
    else {
      const row = rowOf(brand, form, identity, clock.now())
      known.set(identity, row.id)
      created.push(row)
    }
  }
  if (created.length === 0 && rejected.some(({ code }) => code === 'limit_reached')) throw capacityReached(capacity)
  if (created.length > 0) await trx.insertInto('questions').values(created).execute()
  return { created: await describeQuestions(trx, created), rejected }
}

const DUPLICATE = {
  code: 'invalid',
  message: 'The brand has a question with this text and country already; restore that one if it is archived.',
} as const

const fullAccount = ({ limit }: Capacity) =>
  ({
    code: 'limit_reached',
    message: `The account has ${limit} active questions, the most that it may have: archive one first.`,
  }) as const

/** Ids of the brand's questions, active or archived, by identity. */
async function findKnown(trx: ControlTransaction, brand_id: string): Promise<Map<string, string>> {
  const rows = await trx.selectFrom('questions').select(['id', 'identity']).where('brand_id', '=', brand_id).execute()
  return new Map(rows.map(({ id, identity }) => [identity, id]))
}

const rowOf = (brand: FoundBrand, form: QuestionForm, identity: string, created_at: number): QuestionRow => ({
  id: randomUUID(),
  brand_id: brand.id,
  text: form.text,
  identity,
  country: form.country,
  tags: JSON.stringify(form.tags),
  is_branded: isNamedIn(form.text, brand) ? 1 : 0,
  created_at,
  archived_at: null,
})
