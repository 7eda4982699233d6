/** Ends a run of a scan after its engine was asked, with an answer to store, also after a failure (account API 3). */
import { createHash } from 'node:crypto'
import type { Engine } from '#contract/vocabulary.ts'
import type { ControlDb, ControlTransaction } from '#control/store.ts'
import type { EngineCallRow, ScanRunRow } from '#control/tables.ts'
import type { StorableAnswer } from '../answers/store-answers.ts'
import { uuidOf } from '../answers/uuid-of.ts'
import type { ReceivedAnswer } from '../engines/ask-engine.ts'
import { type FailedAnswerCode, failedAnswer } from '../engines/engine-answer.ts'
import type { CallCost } from '../engines/prices.ts'
import { adapterOfRow } from '../engines/settings.ts'
import { addPlanEngine } from '../plan-engines.ts'
import { recordQuestionRun } from '../questions/question-runs.ts'

/** The result of a call; null: it stays unknown, and the call is not repeated. */
export type CallOutcome = Omit<ReceivedAnswer, 'raw'> | null

/** The last call of a run. */
export interface FinishedCall {
  call: EngineCallRow
  outcome: CallOutcome
  cost: CallCost
  /** ISO 3166-1 alpha-2, or null: of the question as it was asked. */
  country: string | null
  now: number
}

/** Ends a run with the result of its last call. */
export async function finishRun(trx: ControlTransaction, run: ScanRunRow, ended: FinishedCall): Promise<void> {
  const { call, now } = ended
  const answer = storable(run, ended)
  const { state } = answer
  await updateRun(trx, run, {
    state,
    code: answer.failure?.code ?? null,
    ended_at: now,
    pending_answer: JSON.stringify(answer),
  })
  const engine = run.engine as Engine
  await addPlanEngine(trx, { account_id: call.account_id, engine, reason: 'has_answers' })
  await recordQuestionRun(trx, { question_id: run.question_id, engine, asked_at: call.begun_at, state })
}

/**
 * Ends a run that waited for another try and does not get one, with the failure of its last call. If it were left out
 * like a run that was never asked, no count of a report would include it.
 */
export async function failTried(trx: ControlTransaction, run: ScanRunRow, now: number): Promise<void> {
  const call = await trx
    .selectFrom('engine_calls')
    .selectAll()
    .where('scan_id', '=', run.scan_id)
    .where('question_id', '=', run.question_id)
    .where('run_engine', '=', run.engine)
    .where('run', '=', run.run)
    .where('try', '=', run.tries)
    .executeTakeFirstOrThrow()
  const { country } = await trx
    .selectFrom('questions')
    .select('country')
    .where('id', '=', run.question_id)
    .executeTakeFirstOrThrow()
  const outcome = { ...failedAnswer(run.code as FailedAnswerCode, NOT_TRIED_AGAIN), country_applied: null }
  const amount_micros = call.cost_micros ?? NOTHING
  const cost = { amount_micros, basis: amount_micros === 0 ? null : ('estimated' as const) }
  await finishRun(trx, run, { call, outcome, cost, country, now })
}

const NOT_TRIED_AGAIN = 'It was not asked again, because the scan ended or the engine could not be asked any more.'
const NOTHING = 0

/** Changes one run of a scan. */
export async function updateRun(
  trx: ControlDb,
  { scan_id, question_id, engine, run }: Pick<ScanRunRow, 'scan_id' | 'question_id' | 'engine' | 'run'>,
  change: Partial<ScanRunRow>,
): Promise<void> {
  await trx
    .updateTable('scan_runs')
    .set(change)
    .where('scan_id', '=', scan_id)
    .where('question_id', '=', question_id)
    .where('engine', '=', engine)
    .where('run', '=', run)
    .execute()
}

/** The same for the same run whenever it is stored. */
export const answerIdOf = (run: Pick<ScanRunRow, 'scan_id' | 'question_id' | 'engine' | 'run'>): string =>
  uuidOf(JSON.stringify(['scan', run.scan_id, run.question_id, run.engine, run.run]))

const INTERRUPTED = 'Spoor ended while it asked, so the answer is not known.'

function storable(run: ScanRunRow, { call, outcome, cost, country }: FinishedCall): StorableAnswer {
  const adapter = adapterOfRow(call)
  const content = {
    source_tool: null,
    external_id: null,
    country,
    language: null,
    persona: null,
    engine: run.engine as Engine,
    surface: 'api' as const,
    provider: adapter?.provider ?? null,
    asked_at: call.begun_at,
    asked_at_precision: 'instant' as const,
    run: run.run,
    text_truncated: false,
    reported_mentions: null,
    ...(outcome === null ? UNKNOWN : known(outcome)),
    ...(cost.basis === null
      ? { cost: null, cost_basis: null }
      : { cost: { amount_micros: cost.amount_micros, currency: 'USD' }, cost_basis: cost.basis }),
  }
  const content_sha256 = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  return { ...content, answer_id: answerIdOf(run), question_id: run.question_id, content_sha256 }
}

const UNKNOWN = {
  state: 'failed' as const,
  failure: { code: 'interrupted', message: INTERRUPTED },
  text: null,
  model: null,
  web_search: 'unknown' as const,
  search_queries: null,
  citations: null,
  sources: null,
  cited_spans: [],
  country_applied: null,
  usage: null,
}

const known = (outcome: NonNullable<CallOutcome>) => ({
  state: outcome.state,
  failure: outcome.failure,
  text: outcome.text,
  model: outcome.model,
  web_search: outcome.web_search,
  search_queries: outcome.search_queries,
  citations: outcome.citations,
  sources: outcome.retrieved,
  cited_spans: outcome.cited_spans,
  country_applied: outcome.country_applied,
  usage: outcome.usage,
})
