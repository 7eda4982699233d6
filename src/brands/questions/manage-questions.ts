/** The questions of a brand as operations of people. */

import type { BrandQuestion } from '#contract/account-api/index.ts'
import type { ManagementOperationOf } from '#contract/management-api/index.ts'
import type { ControlContext } from '#control/context.ts'
import type { QuestionRow } from '#control/tables.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import type { Implementations } from '#implementation.ts'
import { countAnswers } from '../answers/erase-answers.ts'
import { countFixesOfQuestion } from '../fixes/fixes-of-question.ts'
import { addQuestionBatch } from './add-questions.ts'
import { describeQuestions } from './describe-question.ts'
import { archiveOneQuestion, findQuestion, readQuestions, removeQuestion, restoreOneQuestion } from './questions.ts'

type QuestionOperation =
  | 'question.add'
  | 'question.list'
  | 'question.archive'
  | 'question.restore'
  | 'question.contents'
  | 'question.remove'

interface Services extends ControlContext {
  /** Opens the evidence store when it is first needed. */
  crawlers(): Promise<{ evidence: EvidenceStore }>
}

export const manageQuestions: Implementations<ManagementOperationOf<QuestionOperation>, Services> = {
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

  async 'question.contents'({ control, brand, crawlers }, { question }) {
    const { id, text } = await findQuestion(control.db, { brand, question_id: question })
    const { evidence } = await crawlers()
    const fixes = await countFixesOfQuestion(control.db, { brand, question_id: id })
    return { id, text, answers: await countAnswers({ evidence }, brand, id), fixes }
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
