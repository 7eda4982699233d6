/** The questions of a brand as operations of people. */

import type { BrandQuestion } from '#contract/account-api/index.ts'
import type { ManagementOperationOf } from '#contract/management-api/index.ts'
import type { ControlContext } from '#control/context.ts'
import type { QuestionRow } from '#control/tables.ts'
import type { Implementations } from '../../implementation.ts'
import { addQuestionBatch } from './add-questions.ts'
import { describeQuestions } from './describe-question.ts'
import { archiveOneQuestion, readQuestions, removeQuestion, restoreOneQuestion } from './questions.ts'

type QuestionOperation = 'question.add' | 'question.list' | 'question.archive' | 'question.restore' | 'question.remove'

export const manageQuestions: Implementations<ManagementOperationOf<QuestionOperation>, ControlContext> = {
  async 'question.add'(ctx, { questions }) {
    return addQuestionBatch(ctx, { brand: ctx.brand, questions })
  },

  async 'question.list'(ctx, { status = 'active', kind = null, country = null, limit, offset }) {
    const { db } = ctx.control
    const piece = { filter: { status, kind, country }, limit, offset }
    const { questions, total } = await readQuestions(db, ctx.brand.id, piece)
    return { questions: await describeQuestions(db, questions), total_count: total }
  },

  async 'question.archive'(ctx, { question }) {
    return describeOne(ctx, await archiveOneQuestion(ctx, { brand: ctx.brand, question_id: question }))
  },

  async 'question.restore'(ctx, { question }) {
    return describeOne(ctx, await restoreOneQuestion(ctx, { brand: ctx.brand, question_id: question }))
  },

  async 'question.remove'(ctx, { question, typed_name }) {
    const { id, text } = await removeQuestion(ctx, { brand: ctx.brand, question_id: question, typed_name })
    return { id, text }
  },
}

async function describeOne(ctx: ControlContext, row: QuestionRow): Promise<BrandQuestion> {
  const [question] = await describeQuestions(ctx.control.db, [row])
  if (question === undefined) throw new Error('a question that was found is described')
  return question
}
