import type { ControlDb } from '#control/store.ts'
import { Refusal } from '#refusal.ts'
import type { FoundBrand } from '../find-brand.ts'

/** The questions that two filters leave; null: all. @throws Refusal not_found: the brand has no such question. */
export async function questionsOf(
  db: ControlDb,
  brand: Pick<FoundBrand, 'id'>,
  { question_id, branded }: { question_id?: string; branded?: boolean },
): Promise<string[] | null> {
  if (question_id === undefined && branded === undefined) return null
  const found = await db
    .selectFrom('questions')
    .select(['id', 'is_branded'])
    .where('brand_id', '=', brand.id)
    .$if(question_id !== undefined, (query) => query.where('id', '=', String(question_id)))
    .execute()
  if (question_id !== undefined && found.length === 0) {
    throw new Refusal('not_found', 'The brand has no question with this id.')
  }
  return found.filter(({ is_branded }) => branded === undefined || (is_branded === 1) === branded).map(({ id }) => id)
}
