/**
 * Moves answers from the control store, where they are durable, into the evidence store. Repeatable, so that a crash in
 * between neither loses nor doubles an answer.
 */
import { Mutex } from '#concurrency/mutex.ts'
import type { ScanRunRow } from '#control/tables.ts'
import { type StorableAnswer, storeEngineAnswers } from '../answers/store-answers.ts'
import { decodeBrand, type FoundBrand } from '../find-brand.ts'
import type { ScanContext } from './context.ts'
import { updateRun } from './finish-run.ts'
import { judgeSentiment } from './judge-sentiment.ts'

/** The most answers of one insert. */
const ANSWERS_AT_ONCE = 500

/**
 * One at a time: of two that store the same answer, the one that may not send it to be judged could be the last, and
 * take its sentiments away ("keeps the sentiment of answers that end together").
 */
const STORING = new Mutex()

interface Pending {
  /** Null: of all scans. */
  scan_id: string | null
  signal: AbortSignal
}

/** Returns how many answers were stored. */
export const storePending = (ctx: ScanContext, pending: Pending): Promise<number> =>
  STORING.run(() => storeAll(ctx, pending))

async function storeAll(ctx: ScanContext, { scan_id, signal }: Pending): Promise<number> {
  let stored = 0
  for (;;) {
    const before = stored
    const runs = await findPending(ctx, scan_id)
    for (const [brand_id, of_brand] of Map.groupBy(runs, (run) => run.brand_id)) {
      const row = await ctx.control.db.selectFrom('brands').selectAll().where('id', '=', brand_id).executeTakeFirst()
      // Removed meanwhile: its runs went with it.
      if (row === undefined) continue
      const brand = decodeBrand(row)
      const judged: { run: ScanRunRow; answer: StorableAnswer }[] = []
      for (const { brand_id: _brand, ...run } of of_brand) {
        const answer = await judgeOnce(ctx, { brand, run, signal })
        if (answer !== null) judged.push({ run, answer })
      }
      const answers = judged.map(({ answer }) => answer)
      await storeEngineAnswers(ctx, brand, answers)
      for (const { run } of judged) await updateRun(ctx.control.db, run, { pending_answer: null })
      stored += judged.length
    }
    if (runs.length < ANSWERS_AT_ONCE || stored === before) return stored
  }
}

/** The answer with its sentiments, which are kept until it is stored: it is judged once. Null: it is judged later. */
async function judgeOnce(
  ctx: ScanContext,
  { brand, run, signal }: { brand: FoundBrand; run: ScanRunRow; signal: AbortSignal },
): Promise<StorableAnswer | null> {
  const answer = JSON.parse(run.pending_answer as string) as StorableAnswer
  if (answer.sentiments !== undefined) return answer
  const sentiments = await judgeSentiment(ctx, { brand, run, answer, signal })
  if (sentiments === null) return null
  const judged = { ...answer, sentiments }
  if (Object.keys(sentiments).length > 0) {
    await updateRun(ctx.control.db, run, { pending_answer: JSON.stringify(judged) })
  }
  return judged
}

async function findPending({ control }: ScanContext, scan_id: string | null) {
  const pending = control.db
    .selectFrom('scan_runs')
    .innerJoin('scans', 'scans.id', 'scan_runs.scan_id')
    .selectAll('scan_runs')
    .select('scans.brand_id')
    .where('pending_answer', 'is not', null)
  return (scan_id === null ? pending : pending.where('scan_id', '=', scan_id))
    .orderBy('scan_runs.ended_at')
    .orderBy('question_id')
    .orderBy('engine')
    .orderBy('run')
    .limit(ANSWERS_AT_ONCE)
    .execute()
}
