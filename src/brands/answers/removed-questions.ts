/** Leaves out answers of removed questions, which are stored until they are erased (account API 3). */
import type { ControlStore } from '#control/store.ts'
import type { Row } from '#evidence/sql.ts'
import { type AnswerFilter, askedQuestions } from './read-answers.sql.ts'
import type { AnswersContext } from './store-answers.ts'

type QuestionCount = Row<ReturnType<typeof askedQuestions>>

/** The ids of a brand's questions, archived ones included. */
export async function existingQuestions({ db }: ControlStore, brand_id: string): Promise<ReadonlySet<string>> {
  const found = await db.selectFrom('questions').select('id').where('brand_id', '=', brand_id).execute()
  return new Set(found.map(({ id }) => id))
}

/** The filter without answers of removed questions, and the number of its answers by question. */
export async function withoutRemoved<F extends AnswerFilter>(
  { control, evidence }: Pick<AnswersContext, 'control' | 'evidence'>,
  filter: F,
): Promise<{ filter: F; asked: QuestionCount[] }> {
  const stored = await evidence.all(askedQuestions(filter))
  const ids = await existingQuestions(control, filter.brand.id)
  const removed = stored.filter(({ question_id }) => !ids.has(question_id)).map(({ question_id }) => question_id)
  return {
    filter: { ...filter, removed_question_ids: removed },
    asked: stored.filter(({ question_id }) => ids.has(question_id)),
  }
}
