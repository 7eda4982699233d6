/** The questions of a brand as surface B serves them (account API 2.4). */

import { instantText } from '#clock.ts'
import type {
  AddedQuestions,
  BrandQuestion,
  NewQuestion,
  QuestionList,
  QuestionListInput,
} from '#contract/account-api/index.ts'
import type { ControlContext } from '#control/context.ts'
import type { QuestionRow } from '#control/tables.ts'
import type { FoundBrand } from '../find-brand.ts'
import { listEnvelope } from '../list-envelope.ts'
import { addQuestionBatch, addQuestionBatchOnce } from './add-questions.ts'
import { describeQuestions } from './describe-question.ts'
import type { KeyedBatches } from './keyed-batches.ts'
import { archiveOneQuestion, readQuestions, restoreOneQuestion } from './questions.ts'

interface QuestionsOfBrand extends ControlContext {
  brand: FoundBrand
}

export async function serveQuestions(ctx: QuestionsOfBrand, input: QuestionListInput): Promise<QuestionList> {
  const { status, kind = null, country = null, limit, offset, ignored_parameters } = input
  const filters = { kind, status, country }
  return ctx.control.snapshot(async (trx) => {
    const { questions, total } = await readQuestions(trx, ctx.brand.id, { filter: filters, limit, offset })
    return {
      meta: { as_of: instantText(ctx.clock.now()), filters, ignored_parameters },
      questions: await describeQuestions(trx, questions),
      ...listEnvelope({ limit, offset, returned_count: questions.length, total_count: total }),
    }
  })
}

export async function serveAddedQuestions(
  ctx: QuestionsOfBrand & { keyed_batches: KeyedBatches },
  { questions, idempotency_key: key }: { questions: readonly NewQuestion[]; idempotency_key?: string },
): Promise<AddedQuestions> {
  const batch = { brand: ctx.brand, questions }
  return key === undefined ? addQuestionBatch(ctx, batch) : addQuestionBatchOnce(ctx, { ...batch, key })
}

export async function serveArchivedQuestion(ctx: QuestionsOfBrand, { id }: { id: string }): Promise<BrandQuestion> {
  return describeChanged(ctx, await archiveOneQuestion(ctx, { brand: ctx.brand, question_id: id }))
}

export async function serveRestoredQuestion(ctx: QuestionsOfBrand, { id }: { id: string }): Promise<BrandQuestion> {
  return describeChanged(ctx, await restoreOneQuestion(ctx, { brand: ctx.brand, question_id: id }))
}

async function describeChanged({ control }: QuestionsOfBrand, row: QuestionRow): Promise<BrandQuestion> {
  const [question] = await describeQuestions(control.db, [row])
  if (question === undefined) throw new Error('a question that was changed is described')
  return question
}
