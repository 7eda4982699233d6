/** How an account uses an engine: key, model, terms, budget (account API 3). */
import type { ENGINE_OBSTACLES, Engine } from '#contract/vocabulary.ts'
import type { ControlDb, ControlTransaction } from '#control/store.ts'
import type { EngineSettingRow } from '#control/tables.ts'
import { Refusal } from '#refusal.ts'
import { addPlanEngine } from '../plan-engines.ts'
import type { EngineAdapter, EngineSettings } from './adapter.ts'
import { ADAPTERS } from './adapters.ts'

export interface NamedEngine {
  account_id: string
  engine: Engine
}

/** The default limits of an engine in a month, in calls and money: 10 US dollars. */
const FIRST_BUDGET = { budget_calls: 1_000, budget_micros: 10_000_000 } as const
const AT_ONCE = 2

/** The context that a key is sealed with, so that it opens only for its own account and engine. */
export const keyContext = ({ account_id, engine }: Pick<EngineSettingRow, 'account_id' | 'engine'>) =>
  `engine:${account_id}:${engine}:key`

/** The protocol of an engine. @throws Refusal invalid_input for those whose answers are imported only. */
export function adapterOf(engine: Engine): EngineAdapter {
  const adapter = ADAPTERS[engine]
  if (adapter !== undefined) return adapter
  throw new Refusal(
    'invalid_input',
    `${engine} offers no API that Spoor can ask: import its answers. Engines to ask: ${Object.keys(ADAPTERS).join(', ')}.`,
  )
}

/** The adapter of a stored row; null when this version of Spoor cannot ask the engine. */
export const adapterOfRow = ({ engine }: Pick<EngineSettingRow, 'engine'>): EngineAdapter | null =>
  ADAPTERS[engine as Engine] ?? null

/** Null: the account has not set it up. */
export async function findSettings(
  db: ControlDb,
  { account_id, engine }: Pick<EngineSettingRow, 'account_id' | 'engine'>,
): Promise<EngineSettingRow | null> {
  const row = await db
    .selectFrom('engine_settings')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('engine', '=', engine)
    .executeTakeFirst()
  return row === undefined ? null : row
}

/** Changes settings of an engine, making the row of one that has none; the engine is in the plan from then on. */
export async function changeSettings(
  trx: ControlTransaction,
  { account_id, engine }: NamedEngine,
  change: Partial<Omit<EngineSettingRow, 'account_id' | 'engine'>>,
): Promise<EngineSettingRow> {
  await trx
    .insertInto('engine_settings')
    .values({ ...unsetSettings({ account_id, engine }), ...change })
    .onConflict((conflict) =>
      Object.keys(change).length === 0
        ? conflict.columns(['account_id', 'engine']).doNothing()
        : conflict.columns(['account_id', 'engine']).doUpdateSet(change),
    )
    .execute()
  await addPlanEngine(trx, { account_id, engine, reason: 'is_configured' })
  const row = await findSettings(trx, { account_id, engine })
  if (row === null) throw new Error('settings that were just written are found')
  return row
}

/** The settings of an engine that was not set up: it is not asked. */
export const unsetSettings = ({ account_id, engine }: NamedEngine): EngineSettingRow => ({
  account_id,
  engine,
  ...FIRST_BUDGET,
  is_enabled: 0,
  sealed_key: null,
  base_url: null,
  model: null,
  max_output_tokens: null,
  at_once: AT_ONCE,
  input_price_micros: null,
  output_price_micros: null,
  search_price_micros: null,
  terms_accepted_at: null,
  fault: null,
  fault_at: null,
  paused_until: null,
})

/** Why an engine is not asked; null if it is asked. */
export type EngineObstacle = (typeof ENGINE_OBSTACLES)[number]

export function obstacleOf(row: EngineSettingRow | null): EngineObstacle | null {
  const adapter = row === null ? null : adapterOfRow(row)
  if (row === null || row.is_enabled === 0) return 'off'
  if (adapter === null) return 'unknown'
  if (row.sealed_key === null) return 'no_key'
  return adapter.needs_terms !== null && row.terms_accepted_at === null ? 'terms' : null
}

/** A rate limit applies to every call of the account, in every process. It never ends an earlier one sooner. */
export async function pauseEngine(
  trx: ControlTransaction,
  { account_id, engine }: Pick<EngineSettingRow, 'account_id' | 'engine'>,
  paused_until: number,
): Promise<void> {
  await trx
    .updateTable('engine_settings')
    .set({ paused_until })
    .where('account_id', '=', account_id)
    .where('engine', '=', engine)
    .where((is) => is.or([is('paused_until', 'is', null), is('paused_until', '<', paused_until)]))
    .execute()
}

/** Whether its provider asked for no call until a later instant. */
export const isPaused = ({ paused_until }: Pick<EngineSettingRow, 'paused_until'>, now: number): boolean =>
  paused_until !== null && paused_until > now

/** The settings for the adapter: those of admins, with defaults for the others. */
export const settingsOf = (adapter: EngineAdapter, row: EngineSettingRow): EngineSettings => ({
  base_url: row.base_url ?? adapter.defaults.base_url,
  model: row.model ?? adapter.defaults.model,
  max_output_tokens: row.max_output_tokens ?? adapter.defaults.max_output_tokens,
})

/** Terms that an admin accepted, by the names that adapters give them. */
export const acceptedTerms = (adapter: EngineAdapter, row: EngineSettingRow): string[] =>
  adapter.needs_terms !== null && row.terms_accepted_at !== null ? [adapter.needs_terms] : []

/** The settings of all accounts. */
export async function readAllSettings(db: ControlDb): Promise<EngineSettingRow[]> {
  return db.selectFrom('engine_settings').selectAll().orderBy('account_id').orderBy('engine').execute()
}

/** Every engine of an account that may be asked now, in the order of their names. */
export async function readUsableEngines(db: ControlDb, account_id: string): Promise<EngineSettingRow[]> {
  const rows = await db
    .selectFrom('engine_settings')
    .selectAll()
    .where('account_id', '=', account_id)
    .orderBy('engine')
    .execute()
  return rows.filter((row) => obstacleOf(row) === null)
}
