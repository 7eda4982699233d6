/** Deletes the answers of brands and questions that were removed (account API 3, storage). */
import { answerCounts, answeredQuestions, answersOfQuestions, deleteAnswersAt } from './answers.sql.ts'
import type { AnswersContext } from './store-answers.ts'

const QUESTIONS_AT_ONCE = 1_000
const ANSWERS_AT_ONCE = 5_000

/** The number of answers of a brand, or of one of its questions. */
export async function countAnswers(
  { evidence }: Pick<AnswersContext, 'evidence'>,
  brand: { id: string; account_id: string },
  question_id: string | null,
): Promise<number> {
  const counts = await evidence.all(answerCounts(brand))
  return counts
    .filter((row) => question_id === null || row.question_id === question_id)
    .reduce((sum, { answers }) => sum + answers, 0)
}

/**
 * Deletes stored answers of questions that no longer exist; repeatable. Returns the number of questions whose answers
 * were deleted.
 */
export async function eraseRemovedAnswers({
  control,
  evidence,
}: Pick<AnswersContext, 'control' | 'evidence'>): Promise<number> {
  const stored = await evidence.all(answeredQuestions)
  const known = new Set((await control.db.selectFrom('questions').select('id').execute()).map(({ id }) => id))
  const removed = stored.filter(({ question_id }) => !known.has(question_id))
  for (const [key, questions] of Map.groupBy(removed, (row) => `${row.account_id} ${row.brand_id}`)) {
    const [account_id = '', id = ''] = key.split(' ')
    const ids = questions.map(({ question_id }) => question_id)
    for (let at = 0; at < ids.length; at += QUESTIONS_AT_ONCE) {
      await eraseAnswers(evidence, { account_id, id }, ids.slice(at, at + QUESTIONS_AT_ONCE))
    }
  }
  return removed.length
}

async function eraseAnswers(
  evidence: AnswersContext['evidence'],
  brand: { id: string; account_id: string },
  questionIds: readonly string[],
): Promise<void> {
  for (;;) {
    // Under the lock, because an import may store the same answers again for an existing question.
    const has_more = await evidence.writeLock.run(async () => {
      const found = await evidence.all(answersOfQuestions(brand, questionIds, ANSWERS_AT_ONCE))
      if (found.length === 0) return false
      for (const command of deleteAnswersAt(brand, found)) await evidence.run(command)
      return true
    })
    if (!has_more) return
  }
}
