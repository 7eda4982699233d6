/**
 * The monthly budgets of engines, exact with any number of processes: before a call is sent, its greatest cost is
 * reserved in a transaction that excludes all others (account API 3).
 */
import { randomUUID } from 'node:crypto'
import { MINUTE_MS } from '#clock.ts'
import type { ControlDb, ControlTransaction } from '#control/store.ts'
import type { EngineCallRow, EngineMonthRow, EngineSettingRow } from '#control/tables.ts'
import { utcDay } from '#days/utc-day.ts'
import type { EngineAdapter } from './adapter.ts'
import { type CallCost, pricesOf, typicalMicros } from './prices.ts'

/** The purpose of a call: a run of a scan, a stored answer, or a test. */
export type CallPlace = Pick<EngineCallRow, 'purpose' | 'scan_id' | 'question_id' | 'run_engine' | 'run' | 'try'> &
  Partial<Pick<EngineCallRow, 'classification_id' | 'answer_id'>>

/** Longer than one question can take: four requests of two minutes, and a probe. */
const LEASE_MS = 10 * MINUTE_MS
/** Searches are the engine's choice, so a call may cost several times the mean. */
const RESERVED_MEANS = 4

/** The calendar month of an instant, `YYYY-MM`, UTC. */
export const budgetMonth = (now: number): string => utcDay(now).slice(0, 7)

export interface Expectation {
  /** The expected cost of a call: the mean of the month, else that of a typical answer. */
  estimate_micros: number
  /** The amount that is reserved for it, which is enough for an expensive call. */
  reserved_micros: number
}

export function expectCost(adapter: EngineAdapter, row: EngineSettingRow, used: EngineMonthRow): Expectation {
  const { priced_calls, priced_micros, greatest_micros } = used
  const estimate_micros =
    priced_calls === 0 ? typicalMicros(pricesOf(adapter, row)) : Math.ceil(priced_micros / priced_calls)
  return { estimate_micros, reserved_micros: Math.max(RESERVED_MEANS * estimate_micros, greatest_micros) }
}

/** Whether one more call fits into the budget. */
export function hasRoom(row: EngineSettingRow, used: EngineMonthRow, { reserved_micros }: Expectation): boolean {
  const { calls, spent_micros } = used
  return calls < row.budget_calls && spent_micros + used.reserved_micros + reserved_micros <= row.budget_micros
}

/** Whether one more call of the engine may run now, over all processes. */
export async function hasFreePlace(
  trx: ControlTransaction,
  { account_id, engine, at_once }: Pick<EngineSettingRow, 'account_id' | 'engine' | 'at_once'>,
): Promise<boolean> {
  const { open } = await trx
    .selectFrom('engine_calls')
    .select(({ fn }) => fn.countAll().as('open'))
    .where('account_id', '=', account_id)
    .where('engine', '=', engine)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(open) < at_once
}

/** The usage of an engine in a month; zeros if it was not asked. */
export async function readMonth(
  db: ControlDb,
  { account_id, engine }: Pick<EngineSettingRow, 'account_id' | 'engine'>,
  month: string,
): Promise<EngineMonthRow> {
  const row = await db
    .selectFrom('engine_months')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('engine', '=', engine)
    .where('month', '=', month)
    .executeTakeFirst()
  return row ?? { account_id, engine, month, ...UNUSED }
}

const UNUSED = {
  calls: 0,
  reserved_micros: 0,
  spent_micros: 0,
  priced_calls: 0,
  priced_micros: 0,
  greatest_micros: 0,
}

/** Why no call begins: running calls have reserved what it needs, or the budget of the month is used. */
export type NoCall = 'later' | 'never'

/**
 * Reserves one call and its greatest cost, and records that it begins, as far as the budget allows it. The worker that
 * gets a call sends it at most once, and ends it (`endCall`).
 */
export async function beginCall(
  trx: ControlTransaction,
  { adapter, row, place, now }: { adapter: EngineAdapter; row: EngineSettingRow; place: CallPlace; now: number },
): Promise<EngineCallRow | NoCall> {
  const used = await readMonth(trx, row, budgetMonth(now))
  const expected = expectCost(adapter, row, used)
  // What running calls have reserved is more than most of them cost.
  if (!hasRoom(row, used, expected)) return hasRoom(row, { ...used, reserved_micros: 0 }, expected) ? 'later' : 'never'
  const { account_id, engine, month } = used
  await trx
    .insertInto('engine_months')
    .values({ ...used, calls: used.calls + 1, reserved_micros: used.reserved_micros + expected.reserved_micros })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'engine', 'month']).doUpdateSet({
        calls: used.calls + 1,
        reserved_micros: used.reserved_micros + expected.reserved_micros,
      }),
    )
    .execute()
  const call: EngineCallRow = {
    classification_id: null,
    answer_id: null,
    id: randomUUID(),
    account_id,
    engine,
    month,
    ...place,
    ...expected,
    begun_at: now,
    lease_until: now + LEASE_MS,
    ended_at: null,
    outcome: null,
    cost_micros: null,
  }
  await trx.insertInto('engine_calls').values(call).execute()
  return call
}

export interface CallEnd {
  /** `answered`, or the code of a refusal or failure. */
  outcome: string
  cost: CallCost
  now: number
}

/** Records the result and the cost of a call. Returns false if it had already ended: then nothing is recorded. */
export async function endCall(
  trx: ControlTransaction,
  call: EngineCallRow,
  { outcome, cost, now }: CallEnd,
): Promise<boolean> {
  const ended = await trx
    .updateTable('engine_calls')
    .set({ ended_at: now, outcome, cost_micros: cost.amount_micros })
    .where('id', '=', call.id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (ended.numUpdatedRows !== 1n) return false
  const used = await readMonth(trx, call, call.month)
  const is_priced = cost.basis !== null
  await trx
    .updateTable('engine_months')
    .set({
      reserved_micros: used.reserved_micros - call.reserved_micros,
      spent_micros: used.spent_micros + cost.amount_micros,
      priced_calls: used.priced_calls + (is_priced ? 1 : 0),
      priced_micros: used.priced_micros + cost.amount_micros,
      greatest_micros: Math.max(used.greatest_micros, cost.amount_micros),
    })
    .where('account_id', '=', call.account_id)
    .where('engine', '=', call.engine)
    .where('month', '=', call.month)
    .execute()
  return true
}

/** Ends a call with an unknown result. It counts as made, at its estimate. */
export const interruptedEnd = (call: EngineCallRow, now: number): CallEnd => ({
  outcome: 'interrupted',
  now,
  cost: { amount_micros: call.estimate_micros, basis: 'estimated' },
})
