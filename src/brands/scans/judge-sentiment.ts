/**
 * How an answer speaks of the brands it names, in the words of an engine that an admin chose and to which answer texts
 * may go (account API 3). Never judged by lists of words.
 */
import type { Sentiment } from '#contract/vocabulary.ts'
import type { ControlStore } from '#control/store.ts'
import type { EngineCallRow, EngineSettingRow, ScanRunRow } from '#control/tables.ts'
import { Refusal } from '#refusal.ts'
import type { StorableAnswer } from '../answers/store-answers.ts'
import { readTrackedNames } from '../answers/tracked-brands.ts'
import type { EngineAdapter } from '../engines/adapter.ts'
import { askEngine } from '../engines/ask-engine.ts'
import { beginCall, endCall, interruptedEnd } from '../engines/budget.ts'
import { costOf, pricesOf } from '../engines/prices.ts'
import { acceptedTerms, adapterOfRow, findSettings, keyContext, obstacleOf, settingsOf } from '../engines/settings.ts'
import type { FoundBrand } from '../find-brand.ts'
import { MentionFinder } from '../mentions/find-mentions.ts'
import type { ScanContext } from './context.ts'
import { readSentiments, sentimentQuestion } from './sentiment-question.ts'

interface Judged {
  brand: FoundBrand
  run: ScanRunRow
  answer: StorableAnswer
  signal: AbortSignal
}

/** By the id of the tracked brand; empty where nothing is judged, which leaves `unknown`. */
export async function judgeSentiment(
  ctx: ScanContext,
  { brand, run, answer, signal }: Judged,
): Promise<Record<string, Sentiment>> {
  const chosen = await findClassifier(ctx.control, brand.account_id)
  const may_be_sent = adapterOfRow(answer)?.needs_terms === null
  if (chosen === null || !may_be_sent || answer.state !== 'answered' || answer.text === null) return {}
  const tracked = await readTrackedNames(ctx.control.db, brand)
  const found = new MentionFinder(tracked.brands).find(answer.text, answer.cited_spans)
  const named = tracked.brands
    .filter(({ id }) => found.some((mention) => mention.id === id))
    .flatMap(({ id, names: [first] }) => (first === undefined ? [] : [{ id, name: first.text }]))
  if (named.length === 0) return {}
  const call = await begin(ctx, { ...chosen, run })
  if (call === null) return {}
  const text = sentimentQuestion(
    answer.text,
    named.map(({ name }) => name),
  )
  const said = await ask(ctx, chosen, call, text, signal)
  const words = readSentiments(said, named.length)
  return Object.fromEntries(named.map(({ id }, index) => [id, words[index] ?? 'unknown']))
}

interface Classifier {
  settings: EngineSettingRow
  adapter: EngineAdapter
}

/** Null: sentiment is off, or its engine cannot be asked. */
async function findClassifier({ db }: ControlStore, account_id: string): Promise<Classifier | null> {
  const chosen = await db
    .selectFrom('sentiment_settings')
    .select('engine')
    .where('account_id', '=', account_id)
    .executeTakeFirst()
  if (chosen === undefined) return null
  const settings = await findSettings(db, { account_id, engine: chosen.engine })
  const adapter = settings === null ? null : adapterOfRow(settings)
  return settings === null || adapter === null || obstacleOf(settings) !== null ? null : { settings, adapter }
}

/** Null: the budget has no room, or the answer was sent before. */
async function begin(
  { control, clock }: ScanContext,
  { settings, adapter, run }: Classifier & { run: ScanRunRow },
): Promise<EngineCallRow | null> {
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
    if (before !== undefined) return null
    const place = { purpose: 'sentiment' as const, ...of_run, try: run.tries }
    return beginCall(trx, { adapter, row: settings, place, now: clock.now() })
  })
}

/** The text of the reply; empty when there was none. */
async function ask(
  { control, clock, outgoing, secrets, timeout_ms, onCallEnded }: ScanContext,
  { settings, adapter }: Classifier,
  call: EngineCallRow,
  text: string,
  signal: AbortSignal,
): Promise<string> {
  try {
    const received = await askEngine(
      {
        ...{ adapter, outgoing, settings: settingsOf(adapter, settings), searches: false },
        ...{ api_key: secrets.open(settings.sealed_key as string, keyContext(settings)) },
        ...{ accepted_terms: acceptedTerms(adapter, settings), ...(timeout_ms === undefined ? {} : { timeout_ms }) },
      },
      { text, country: null },
      signal,
    )
    const outcome = received.failure?.code ?? 'answered'
    const cost = costOf(received, pricesOf(adapter, settings), call.estimate_micros)
    await control.transaction((trx) => endCall(trx, call, { outcome, cost, now: clock.now() }))
    onCallEnded?.({ engine: call.engine, outcome })
    return received.state === 'answered' ? (received.text ?? '') : ''
  } catch (error) {
    await control.transaction((trx) => endCall(trx, call, interruptedEnd(call, clock.now())))
    // Broken off, or the key cannot be opened: the answer is stored without a judgement.
    if (signal.aborted || error instanceof Refusal) return ''
    throw error
  }
}
