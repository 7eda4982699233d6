import type { ControlTransaction } from '#control/store.ts'
import type { BrandNames } from '../brand-names.ts'
import { isNamedIn } from '../names-in-text.ts'

/**
 * Judges for every question of a brand whether it names the brand, after the brand's names changed (account API 2.1).
 */
export async function judgeKinds(trx: ControlTransaction, brand_id: string, names: BrandNames): Promise<void> {
  const questions = await trx
    .selectFrom('questions')
    .select(['id', 'text', 'is_branded'])
    .where('brand_id', '=', brand_id)
    .execute()
  for (const { id, text, is_branded } of questions) {
    const judged = isNamedIn(text, names) ? 1 : 0
    if (judged === is_branded) continue
    await trx.updateTable('questions').set({ is_branded: judged }).where('id', '=', id).execute()
  }
}
