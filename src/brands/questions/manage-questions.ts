/** The questions of a brand as operations of people. */
import type { Clock } from '#clock.ts'
import type { Question } from '#contract/account-api/index.ts'
import type { ManagementOperationOf } from '#contract/management-api/index.ts'
import type { ControlStore } from '#control/store.ts'
import type { QuestionRow } from '#control/tables.ts'
import type { Implementations } from '../../implementation.ts'
import { addQuestions } from './add-questions.ts'
import { describeQuestions } from './describe-question.ts'
import { archiveQuestion, readQuestions, removeQuestion, restoreQuestion } from './questions.ts'

interface Services {
  control: ControlStore
  clock: Clock
}

type QuestionOperation = 'question.add' | 'question.list' | 'question.archive' | 'question.restore' | 'question.remove'

export const manageQuestions: Implementations<ManagementOperationOf<QuestionOperation>, Services> = {
  async 'question.add'(ctx, { questions }) {
    return addQuestions(ctx, { brand: ctx.brand, questions, idempotency_key: null })
  },

  async 'question.list'(ctx, { status = 'active', kind = null, country = null, limit, offset }) {
    const { db } = ctx.control
    const piece = { filter: { status, kind, country }, limit, offset }
    const { questions, total } = await readQuestions(db, ctx.brand.id, piece)
    return { questions: await describeQuestions(db, questions), total_count: total }
  },

  async 'question.archive'(ctx, { question }) {
    return describeOne(ctx, await archiveQuestion(ctx, { brand: ctx.brand, question_id: question }))
  },

  async 'question.restore'(ctx, { question }) {
    return describeOne(ctx, await restoreQuestion(ctx, { brand: ctx.brand, question_id: question }))
  },

  async 'question.remove'(ctx, { question }) {
    const { id, text } = await removeQuestion(ctx, { brand: ctx.brand, question_id: question })
    return { id, text }
  },
}

async function describeOne(ctx: Services, row: QuestionRow): Promise<Question> {
  const [question] = await describeQuestions(ctx.control.db, [row])
  if (question === undefined) throw new Error('a question that was found is described')
  return question
}
