import type { ControlDb } from '#control/store.ts'
import type { QuestionRunRow } from '#control/tables.ts'

/**
 * Notes that a question was asked, or that its answer was imported; an earlier run than the one that is known changes
 * nothing. The same run may be stored again with another state, when its import replaces it.
 */
export async function recordQuestionRun(db: ControlDb, run: QuestionRunRow): Promise<void> {
  const { asked_at, state } = run
  await db
    .insertInto('question_runs')
    .values(run)
    .onConflict((conflict) =>
      conflict
        .columns(['question_id', 'engine'])
        .doUpdateSet({ asked_at, state })
        .where('question_runs.asked_at', '<=', asked_at),
    )
    .execute()
}
