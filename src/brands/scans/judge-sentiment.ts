/**
 * The sentiment of the mentions of an answer, classified by the engine that an admin chose and to which answer texts
 * may be sent (account API 3). Word lists are never used.
 */
import type { Sentiment } from '#contract/vocabulary.ts'
import type { EngineCallRow, ScanRunRow } from '#control/tables.ts'
import type { StorableAnswer } from '../answers/store-answers.ts'
import { readTrackedNames } from '../answers/tracked-brands.ts'
import { beginCall, hasFreePlace, type NoCall } from '../engines/budget.ts'
import { isPaused } from '../engines/settings.ts'
import type { FoundBrand } from '../find-brand.ts'
import { MentionFinder } from '../mentions/find-mentions.ts'
import { askClassifier, type Classifier, findClassifier, mayBeSent } from '../sentiment/classifier.ts'
import type { ScanContext } from './context.ts'

interface Judged {
  brand: FoundBrand
  run: ScanRunRow
  answer: StorableAnswer
  signal: AbortSignal
}

/**
 * Sentiments by the id of the tracked brand; empty if they are not judged, so that they stay `unknown`. Null: they are
 * judged later, because running calls of the engine leave no room for one more, or the service stops.
 */
export async function judgeSentiment(
  ctx: ScanContext,
  { brand, run, answer, signal }: Judged,
): Promise<Record<string, Sentiment> | null> {
  const chosen = await findClassifier(ctx.control, brand.account_id)
  if (chosen === null || isPaused(chosen.settings, ctx.clock.now())) return {}
  if (!mayBeSent(answer) || answer.state !== 'answered' || answer.text === null) return {}
  const tracked = await readTrackedNames(ctx.control.db, brand)
  const found = new MentionFinder(tracked.brands).find(answer.text, answer.cited_spans)
  const named = tracked.brands
    .filter(({ id }) => found.some((mention) => mention.id === id))
    .flatMap(({ id, names: [first] }) => (first === undefined ? [] : [{ id, name: first.text }]))
  if (named.length === 0) return {}
  if (signal.aborted) return null
  const call = await begin(ctx, { ...chosen, run })
  if (call === 'later') return null
  if (call === 'never') return {}
  const asked = { call, text: answer.text, names: named.map(({ name }) => name) }
  const { words } = await askClassifier(ctx, chosen, asked, signal)
  return Object.fromEntries(named.map(({ id }, index) => [id, words[index] ?? 'unknown']))
}

/** `later`: running calls take up the places or the budget. `never`: the budget is used, or it was sent before. */
async function begin(
  { control, clock }: ScanContext,
  { settings, adapter, run }: Classifier & { run: ScanRunRow },
): Promise<EngineCallRow | NoCall> {
  const of_run = { scan_id: run.scan_id, question_id: run.question_id, run_engine: run.engine, run: run.run }
  return control.transaction(async (trx) => {
    const before = await trx
      .selectFrom('engine_calls')
      .select('id')
      .where('purpose', '=', 'sentiment')
      .where('scan_id', '=', of_run.scan_id)
      .where('question_id', '=', of_run.question_id)
      .where('run_engine', '=', of_run.run_engine)
      .where('run', '=', of_run.run)
      .executeTakeFirst()
    if (before !== undefined) return 'never'
    if (!(await hasFreePlace(trx, settings))) return 'later'
    const place = { purpose: 'sentiment' as const, ...of_run, try: run.tries }
    return beginCall(trx, { adapter, row: settings, place, now: clock.now() })
  })
}
