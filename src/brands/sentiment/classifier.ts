/** The engine that an admin chose to classify sentiment, and how it is asked (account API 3). */
import type { Sentiment } from '#contract/vocabulary.ts'
import type { ControlStore } from '#control/store.ts'
import type { EngineCallRow, EngineSettingRow } from '#control/tables.ts'
import { Refusal } from '#refusal.ts'
import type { EngineAdapter } from '../engines/adapter.ts'
import { askEngine } from '../engines/ask-engine.ts'
import { endCall, interruptedEnd } from '../engines/budget.ts'
import { costOf, pricesOf } from '../engines/prices.ts'
import {
  acceptedTerms,
  adapterOfRow,
  findSettings,
  keyContext,
  obstacleOf,
  pauseEngine,
  settingsOf,
} from '../engines/settings.ts'
import type { ScanContext } from '../scans/context.ts'
import { readSentiments, sentimentQuestion } from '../scans/sentiment-question.ts'

export interface Classifier {
  settings: EngineSettingRow
  adapter: EngineAdapter
}

/** Null: sentiment is off, or its engine cannot be asked. */
export async function findClassifier({ db }: Pick<ControlStore, 'db'>, account_id: string): Promise<Classifier | null> {
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

/** Whether the terms of the answer's provider let its text go to another one. */
export const mayBeSent = (answer: { engine: string }): boolean => adapterOfRow(answer)?.needs_terms === null

export interface Classified {
  /** One sentiment for each name, in order. */
  words: Sentiment[]
  /** `answered`, or why there is no result. */
  outcome: string
}

/** Sends a recorded call, with the text as quoted data, and ends it. */
export async function askClassifier(
  { control, clock, outgoing, secrets, timeout_ms, onCallEnded }: ScanContext,
  { settings, adapter }: Classifier,
  { call, text, names }: { call: EngineCallRow; text: string; names: readonly string[] },
  signal: AbortSignal,
): Promise<Classified> {
  try {
    const received = await askEngine(
      {
        adapter,
        outgoing,
        settings: settingsOf(adapter, settings),
        searches: false,
        api_key: secrets.open(settings.sealed_key as string, keyContext(settings)),
        accepted_terms: acceptedTerms(adapter, settings),
        ...(timeout_ms === undefined ? {} : { timeout_ms }),
      },
      { text: sentimentQuestion(text, names), country: null },
      signal,
    )
    const outcome = received.failure?.code ?? 'answered'
    const cost = costOf(received, pricesOf(adapter, settings), call.estimate_micros)
    const now = clock.now()
    const { wait_ms } = received.retry
    await control.transaction(async (trx) => {
      await endCall(trx, call, { outcome, cost, now })
      if (outcome === 'rate_limited' && wait_ms !== null) await pauseEngine(trx, call, now + wait_ms)
    })
    onCallEnded?.({ engine: call.engine, outcome })
    const said = received.state === 'answered' ? (received.text ?? '') : ''
    return { words: readSentiments(said, names.length), outcome }
  } catch (error) {
    await control.transaction((trx) => endCall(trx, call, interruptedEnd(call, clock.now())))
    // Aborted, or the key cannot be opened: there is no result.
    if (signal.aborted || error instanceof Refusal) {
      return { words: readSentiments('', names.length), outcome: 'interrupted' }
    }
    throw error
  }
}
