/** The classification of stored mentions: its cost, and the run that a person started (account API 4). */
import { randomUUID } from 'node:crypto'
import { type Clock, instantOrNull, instantText } from '#clock.ts'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import { API_ENGINES, type ApiEngine, type ClassificationCode, ENGINES } from '#contract/vocabulary.ts'
import type { ControlDb, ControlStore } from '#control/store.ts'
import type { ClassificationRow } from '#control/tables.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { Refusal } from '#refusal.ts'
import { readCurrentVersion } from '../answers/mention-version.ts'
import { type AnswerFilter, unfiltered } from '../answers/read-answers.sql.ts'
import { withoutRemoved } from '../answers/removed-questions.ts'
import { microsOf, pricesOf } from '../engines/prices.ts'
import type { FoundBrand } from '../find-brand.ts'
import { type Classifier, findClassifier, mayBeSent } from './classifier.ts'
import { unclassifiedCounts } from './unclassified.sql.ts'

interface Stores {
  control: ControlStore
  evidence: EvidenceStore
  clock: Clock
}

type Plan = ManagementOutput<'answers.classification'>
type Classification = ManagementOutput<'answers.classify'>

/**
 * The assumed usage of one answer before any was measured: text and question as input, few words and thinking as
 * output.
 */
const TYPICAL = { input_tokens: 1_500, output_tokens: 400, searches: 0 }
/** The classification stops before this many times the estimate would be exceeded. */
const CEILING = 2

/** Engines whose answers may be sent to another provider. */
export const SENDABLE = ENGINES.filter((engine) => mayBeSent({ engine }))

/** The answers that are sent, from the version of mentions in use. */
export const sendable = (brand: FoundBrand, version: number): AnswerFilter => ({
  ...unfiltered(brand, version),
  engines: SENDABLE,
  status: 'answered',
})

/** The size and cost of a classification, and the result of the last one. */
export async function planClassification({ control, evidence }: Stores, brand: FoundBrand): Promise<Plan> {
  const chosen = await findClassifier(control, brand.account_id)
  const every = { ...unfiltered(brand, await readCurrentVersion(control, brand)), status: 'answered' as const }
  const { filter } = await withoutRemoved({ control, evidence }, every)
  const counts = await evidence.all(unclassifiedCounts(filter))
  const sent = counts.filter(mayBeSent).reduce((sum, { answers }) => sum + answers, 0)
  const all = counts.reduce((sum, { answers }) => sum + answers, 0)
  const each_micros = chosen === null ? 0 : await expectMicros(control.db, chosen)
  const last = await control.db
    .selectFrom('classifications')
    .selectAll()
    .where('brand_id', '=', brand.id)
    .orderBy('started_at', 'desc')
    .executeTakeFirst()
  return {
    engine: chosen === null ? null : engineOf(chosen.settings),
    answers: sent,
    left_out: all - sent,
    estimate_micros: sent * each_micros,
    at_most_micros: CEILING * sent * each_micros,
    last: last === undefined ? null : describeClassification(last),
  }
}

/** @throws Refusal conflict: nothing can be classified, one runs already, or the price is higher than was agreed to. */
export async function startClassification(
  ctx: Stores,
  brand: FoundBrand,
  { at_most_micros }: { at_most_micros: number },
): Promise<Classification> {
  const plan = await planClassification(ctx, brand)
  if (plan.engine === null) {
    throw new Refusal(
      'conflict',
      'No engine classifies sentiment, or it cannot be asked: {next} shows which is chosen and why it is not asked.',
      {
        next: { step: 'engine.list' },
      },
    )
  }
  if (plan.answers === 0) throw new Refusal('conflict', 'Every mention that may be classified has been classified.')
  if (at_most_micros < plan.estimate_micros) {
    throw new Refusal(
      'conflict',
      `The classification is expected to cost $${plan.estimate_micros / 1_000_000}, more than the agreed $${at_most_micros / 1_000_000}: agree to a higher price.`,
    )
  }
  const row: ClassificationRow = {
    id: randomUUID(),
    brand_id: brand.id,
    engine: plan.engine,
    state: 'running',
    code: null,
    answers: plan.answers,
    asked: 0,
    classified: 0,
    at_most_micros,
    spent_micros: 0,
    after_day: null,
    after_answer: null,
    started_at: ctx.clock.now(),
    ended_at: null,
  }
  await ctx.control.transaction(async (trx) => {
    const running = await trx
      .selectFrom('classifications')
      .select('id')
      .where((is) => is.and({ brand_id: brand.id, state: 'running' }))
      .executeTakeFirst()
    if (running !== undefined) {
      throw new Refusal('conflict', 'A classification of this brand runs already: wait until it ends, or cancel it.')
    }
    await trx.insertInto('classifications').values(row).execute()
  })
  return describeClassification(row)
}

/**
 * Ends the running classification, with a code or as cancelled. A running call still finishes. Returns whether one ran.
 */
export async function endClassification(
  { control, clock }: Pick<Stores, 'control' | 'clock'>,
  brand: Pick<FoundBrand, 'id'>,
  code: ClassificationCode | null,
): Promise<boolean> {
  const state = code === null ? 'cancelled' : 'ended'
  const { numUpdatedRows } = await control.db
    .updateTable('classifications')
    .set({ state, code, ended_at: clock.now() })
    .where((is) => is.and({ brand_id: brand.id, state: 'running' }))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The expected cost of one answer: the mean of the engine's classifications so far, else that of a typical answer. */
export async function expectMicros(db: ControlDb, { settings, adapter }: Classifier): Promise<number> {
  const { account_id, engine } = settings
  const { calls, micros } = await db
    .selectFrom('engine_calls')
    .select(({ fn }) => [fn.countAll().as('calls'), fn.sum('cost_micros').as('micros')])
    .where((is) => is.and({ account_id, engine, purpose: 'sentiment', outcome: 'answered' }))
    .executeTakeFirstOrThrow()
  return Number(calls) === 0
    ? microsOf(TYPICAL, pricesOf(adapter, settings))
    : Math.ceil(Number(micros) / Number(calls))
}

export function describeClassification(row: ClassificationRow): Classification {
  const { id, state, code, answers, asked, classified, at_most_micros, spent_micros, started_at, ended_at } = row
  return {
    id,
    engine: engineOf(row),
    state,
    code: code as ClassificationCode | null,
    answers,
    asked,
    classified,
    at_most_micros,
    spent_micros,
    started_at: instantText(started_at),
    ended_at: instantOrNull(ended_at),
  }
}

function engineOf({ engine }: { engine: string }): ApiEngine {
  const found = API_ENGINES.find((each) => each === engine)
  if (found === undefined) throw new Error(`${engine} has no adapter`)
  return found
}
