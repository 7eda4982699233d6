/** The fixes whose subject is one question, which are deleted with it (account API 2.5). */
import type { ControlDb } from '#control/store.ts'
import type { FoundBrand } from '../find-brand.ts'

export interface QuestionOfBrand {
  brand: Pick<FoundBrand, 'id'>
  question_id: string
}

export async function countFixesOfQuestion(db: ControlDb, of: QuestionOfBrand): Promise<number> {
  const { fixes } = await db
    .selectFrom('fixes')
    .select(({ fn }) => fn.countAll().as('fixes'))
    .where('brand_id', '=', of.brand.id)
    .where(({ or, eb }) => or([eb('subject', '=', lostQuestion(of)), eb('subject', 'like', citedByAnswers(of))]))
    .executeTakeFirstOrThrow()
  return Number(fixes)
}

export async function removeFixesOfQuestion(db: ControlDb, of: QuestionOfBrand): Promise<void> {
  await db
    .deleteFrom('fixes')
    .where('brand_id', '=', of.brand.id)
    .where(({ or, eb }) => or([eb('subject', '=', lostQuestion(of)), eb('subject', 'like', citedByAnswers(of))]))
    .execute()
}

/** Subjects as `find-candidates.ts` names them. */
const lostQuestion = ({ question_id }: QuestionOfBrand) => JSON.stringify(['question', question_id])
const citedByAnswers = ({ question_id }: QuestionOfBrand) => `["competitor_url","${question_id}",%`
