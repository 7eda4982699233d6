/** Asks the question of a run, and stores the result. */

import { Refusal } from '#refusal.ts'
import { askEngine, type ReceivedAnswer } from '../engines/ask-engine.ts'
import { interruptedEnd } from '../engines/budget.ts'
import { failedAnswer } from '../engines/engine-answer.ts'
import { costOf, pricesOf } from '../engines/prices.ts'
import { resolveRedirects } from '../engines/resolve-redirects.ts'
import { acceptedTerms, keyContext, settingsOf } from '../engines/settings.ts'
import type { ScanContext } from './context.ts'
import { endRun } from './end-run.ts'
import { answerIdOf } from './finish-run.ts'
import { keepPayload } from './payloads.ts'
import { storePending } from './store-pending.ts'
import type { TakenRun } from './take-run.ts'

/** An aborted call has ended; whether it was answered stays unknown. */
export async function askRun(ctx: ScanContext, taken: TakenRun, signal: AbortSignal): Promise<void> {
  const { call, question } = taken
  const { country } = question
  const received = await ask(ctx, taken, signal).catch((error: unknown) => {
    // After a bug of Spoor, the answer is also unknown.
    if (!signal.aborted) ctx.log.error({ err: error, engine: call.engine }, 'asking an engine failed')
    return null
  })
  if (received === null) {
    await end(ctx, taken, { outcome: null, cost: interruptedEnd(call, ctx.clock.now()).cost, country })
  } else {
    const cost = costOf(received, pricesOf(taken.adapter, taken.settings), call.estimate_micros)
    await keep(ctx, taken, received)
    const { raw: _raw, ...outcome } = received
    await end(ctx, taken, { outcome, cost, country })
  }
  await storePending(ctx, { scan_id: taken.run.scan_id, signal })
}

async function ask(ctx: ScanContext, taken: TakenRun, signal: AbortSignal): Promise<ReceivedAnswer> {
  const { adapter, settings, question } = taken
  const api_key = openKey(ctx, taken)
  if (api_key instanceof Refusal) {
    return { ...failedAnswer('bad_key', api_key.message), raw: [], country_applied: null }
  }
  const accepted_terms = acceptedTerms(adapter, settings)
  const asking = {
    adapter,
    outgoing: ctx.outgoing,
    settings: settingsOf(adapter, settings),
    api_key,
    accepted_terms,
    ...(ctx.timeout_ms === undefined ? {} : { timeout_ms: ctx.timeout_ms }),
  }
  const received = await askEngine(asking, { text: question.text, country: question.country }, signal)
  if (received.citations === null) return received
  const citations = await resolveRedirects(ctx.outgoing, received.citations, { accepted_terms, signal })
  return { ...received, citations }
}

/** A refusal: the key was sealed with another secret key, or is damaged. */
function openKey({ secrets }: ScanContext, { settings }: TakenRun): string | Refusal {
  try {
    return secrets.open(settings.sealed_key as string, keyContext(settings))
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** An answer counts without its raw form, so that a full disk loses no paid answer. */
async function keep(ctx: ScanContext, { run, brand }: TakenRun, { raw }: ReceivedAnswer): Promise<void> {
  if (raw.length === 0) return
  const place = { brand_id: brand.id, question_id: run.question_id, answer_id: answerIdOf(run), try: run.tries }
  await keepPayload(ctx, place, raw).catch((error: unknown) =>
    ctx.log.warn({ err: error }, 'the raw form of an answer could not be stored'),
  )
}

type Ended = Pick<Parameters<typeof endRun>[1], 'outcome' | 'cost' | 'country'>

async function end(ctx: ScanContext, { call }: TakenRun, ended: Ended): Promise<void> {
  const { random = Math.random, clock, control } = ctx
  const is_first = await endRun(control, { ...ended, call, now: clock.now(), draw: random() })
  const outcome = ended.outcome === null ? 'interrupted' : (ended.outcome.failure?.code ?? 'answered')
  if (is_first) ctx.onCallEnded?.({ engine: call.engine, outcome })
}
