import { instantOrNull, instantText } from '#clock.ts'
import type { BrandQuestion } from '#contract/account-api/index.ts'
import { ENGINES } from '#contract/vocabulary.ts'
import type { ControlDb } from '#control/store.ts'
import type { QuestionRow } from '#control/tables.ts'

/** Questions as answers show them, with the newest run of each engine, in the order given (account API 2.1). */
export async function describeQuestions(db: ControlDb, questions: readonly QuestionRow[]): Promise<BrandQuestion[]> {
  if (questions.length === 0) return []
  const runs = await db
    .selectFrom('question_runs')
    .selectAll()
    .where(
      'question_id',
      'in',
      questions.map(({ id }) => id),
    )
    .execute()
  return questions.map((question) => ({
    id: question.id,
    text: question.text,
    country: question.country,
    tags: JSON.parse(question.tags),
    kind: question.is_branded === 1 ? 'branded' : 'unbranded',
    status: question.archived_at === null ? 'active' : 'archived',
    created_at: instantText(question.created_at),
    archived_at: instantOrNull(question.archived_at),
    last_asked: ENGINES.flatMap((engine) =>
      runs
        .filter((run) => run.question_id === question.id && run.engine === engine)
        .map(({ asked_at, state }) => ({ engine, asked_at: instantText(asked_at), state })),
    ),
  }))
}
