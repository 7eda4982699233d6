/**
 * Moves answers from the control store, where they are safe, into the evidence store; repeatable, so that a crash
 * between loses and doubles nothing.
 */
import { type StorableAnswer, storeEngineAnswers } from '../answers/store-answers.ts'
import { decodeBrand } from '../find-brand.ts'
import type { ScanContext } from './context.ts'
import { judgeSentiment } from './judge-sentiment.ts'
import { updateRun } from './take-run.ts'

/** Of one scan, or of all (`scan_id` null). Returns how many answers were stored. */
export async function storePending(
  ctx: ScanContext,
  { scan_id, signal }: { scan_id: string | null; signal: AbortSignal },
): Promise<number> {
  let query = ctx.control.db.selectFrom('scan_runs').selectAll().where('pending_answer', 'is not', null)
  if (scan_id !== null) query = query.where('scan_id', '=', scan_id)
  const runs = await query.orderBy('ended_at').orderBy('question_id').orderBy('engine').orderBy('run').execute()
  for (const run of runs) {
    const brand = await ctx.control.db
      .selectFrom('brands')
      .innerJoin('questions', 'questions.brand_id', 'brands.id')
      .selectAll('brands')
      .where('questions.id', '=', run.question_id)
      .executeTakeFirst()
    // Removed meanwhile: its runs go with it.
    if (brand === undefined) continue
    const found = decodeBrand(brand)
    const answer = JSON.parse(run.pending_answer as string) as StorableAnswer
    const sentiments = await judgeSentiment(ctx, { brand: found, run, answer, signal })
    await storeEngineAnswers(ctx, found, [{ ...answer, sentiments }])
    await updateRun(ctx.control.db, run, { pending_answer: null })
  }
  return runs.length
}
