/** Asks an engine one short question, which shows whether key and model are right. */
import type { Clock } from '#clock.ts'
import type { ControlStore } from '#control/store.ts'
import type { SafeFetchContext } from '#outgoing/safe-fetch.ts'
import { Refusal } from '#refusal.ts'
import type { SecretBox } from '#secrets/secret-box.ts'
import { askEngine } from './ask-engine.ts'
import { beginCall, endCall, interruptedEnd } from './budget.ts'
import { costOf, pricesOf } from './prices.ts'
import {
  acceptedTerms,
  adapterOf,
  findSettings,
  keyContext,
  type NamedEngine,
  settingsOf,
  unsetSettings,
} from './settings.ts'

interface Services {
  control: ControlStore
  clock: Clock
  secrets: SecretBox
  outgoing: SafeFetchContext | null
}

export interface EngineTest {
  state: 'answered' | 'refused' | 'failed'
  code: string | null
  message: string | null
  model: string | null
  cost_micros: number
}

const QUESTION = 'Reply with the one word: ready'
const TIMEOUT_MS = 60_000
const OF_NO_RUN = { purpose: 'test', scan_id: null, question_id: null, run_engine: null, run: null, try: 1 } as const

/** @throws Refusal conflict without a key, forbidden without accepted terms, limit_reached when the budget is used. */
export async function testEngine(
  { control, clock, secrets, outgoing }: Services,
  named: NamedEngine,
): Promise<EngineTest> {
  const { engine } = named
  const adapter = adapterOf(engine)
  const settings = (await findSettings(control.db, named)) ?? unsetSettings(named)
  if (settings.sealed_key === null) {
    throw new Refusal('conflict', `${engine} has no key: give it one with {next}.`, {
      next: { step: 'engine.set_key' },
    })
  }
  if (adapter.needs_terms !== null && settings.terms_accepted_at === null) {
    throw new Refusal('forbidden', `The terms of ${engine} are not accepted: {next} shows and accepts them.`, {
      next: { step: 'engine.accept_terms' },
    })
  }
  if (outgoing === null) {
    throw new Refusal(
      'conflict',
      'Under a simulated clock Spoor sends no requests to other servers: start the service without --clock.',
    )
  }
  const api_key = secrets.open(settings.sealed_key, keyContext(settings))
  const call = await control.transaction((trx) =>
    beginCall(trx, { adapter, row: settings, place: OF_NO_RUN, now: clock.now() }),
  )
  if (call === 'later' || call === 'never') {
    throw new Refusal(
      'limit_reached',
      `The budget of ${engine} has no room for a call this month: raise it with {next}.`,
      {
        next: { step: 'engine.budget' },
      },
    )
  }
  try {
    const received = await askEngine(
      {
        adapter,
        outgoing,
        api_key,
        settings: settingsOf(adapter, settings),
        searches: false,
        accepted_terms: acceptedTerms(adapter, settings),
        timeout_ms: TIMEOUT_MS,
      },
      { text: QUESTION, country: null },
      new AbortController().signal,
    )
    const { state, failure, model } = received
    const cost = costOf(received, pricesOf(adapter, settings), call.estimate_micros)
    const code = failure === null ? null : failure.code
    await control.transaction((trx) => endCall(trx, call, { outcome: code ?? 'answered', cost, now: clock.now() }))
    const message = failure === null ? null : failure.message
    return { state, code, message, model, cost_micros: cost.amount_micros }
  } catch (error) {
    await control.transaction((trx) => endCall(trx, call, interruptedEnd(call, clock.now())))
    throw error
  }
}
