/** Engines as operations of the account's admins (account API 1, 3). */
import { type Clock, instantOrNull } from '#clock.ts'
import type { ManagementOperationOf, ManagementOutput } from '#contract/management-api/index.ts'
import type { ApiEngine } from '#contract/vocabulary.ts'
import type { ControlDb, ControlStore } from '#control/store.ts'
import type { EngineSettingRow } from '#control/tables.ts'
import type { Implementations } from '#implementation.ts'
import type { SafeFetchContext } from '#outgoing/safe-fetch.ts'
import { Refusal } from '#refusal.ts'
import type { SecretBox } from '#secrets/secret-box.ts'
import { removePlanEngine } from '../plan-engines.ts'
import { ADAPTERS } from './adapters.ts'
import { budgetMonth, expectCost, hasRoom, readMonth } from './budget.ts'
import { pricesOf } from './prices.ts'
import { readApiKey, readBaseUrl, readModel } from './read-settings.ts'
import {
  adapterOf,
  changeSettings,
  findSettings,
  keyContext,
  obstacleOf,
  settingsOf,
  unsetSettings,
} from './settings.ts'
import { testEngine } from './test-engine.ts'

type EngineState = ManagementOutput<'engine.disable'>

interface Services {
  control: ControlStore
  clock: Clock
  secrets: SecretBox
  outgoing: SafeFetchContext | null
}

type EngineOperation =
  | 'engine.list'
  | 'engine.set_key'
  | 'engine.accept_terms'
  | 'engine.enable'
  | 'engine.disable'
  | 'engine.configure'
  | 'engine.budget'
  | 'engine.test'
  | 'engine.remove'
  | 'engine.sentiment'

type Called = Services & { caller: { account_id: string } }

export const manageEngines: Implementations<ManagementOperationOf<EngineOperation>, Services> = {
  async 'engine.list'(ctx) {
    const { account_id } = ctx.caller
    const { db } = ctx.control
    const engines = []
    for (const engine of Object.keys(ADAPTERS) as ApiEngine[]) {
      const row = await findSettings(db, { account_id, engine })
      engines.push(await describe(db, row ?? unsetSettings({ account_id, engine }), ctx.clock.now()))
    }
    const chosen = await readSentimentEngine(db, account_id)
    return { engines, sentiment_engine: chosen as ApiEngine | null }
  },

  async 'engine.set_key'(ctx, { engine, api_key }) {
    const named = { account_id: ctx.caller.account_id, engine }
    const sealed_key = ctx.secrets.seal(readApiKey(api_key), keyContext(named))
    return change(ctx, engine, { sealed_key, is_enabled: 1, ...MENDED })
  },

  async 'engine.accept_terms'(ctx, { engine }) {
    if (adapterOf(engine).needs_terms === null) {
      throw new Refusal('invalid_input', `${engine} has no terms that must be accepted before it is asked.`)
    }
    return change(ctx, engine, { terms_accepted_at: ctx.clock.now() })
  },

  'engine.enable': (ctx, { engine }) => change(ctx, engine, { is_enabled: 1, ...MENDED }),
  'engine.disable': (ctx, { engine }) => change(ctx, engine, { is_enabled: 0 }),

  async 'engine.configure'(ctx, { engine, model, base_url, ...numbers }) {
    return change(ctx, engine, {
      ...numbers,
      ...(model === undefined ? {} : { model: readModel(model) }),
      ...(base_url === undefined ? {} : { base_url: readBaseUrl(base_url) }),
      ...MENDED,
    })
  },

  async 'engine.budget'(ctx, { engine, calls, micros }) {
    return change(ctx, engine, {
      ...(calls === undefined ? {} : { budget_calls: calls }),
      ...(micros === undefined ? {} : { budget_micros: micros }),
    })
  },

  async 'engine.test'(ctx, { engine }) {
    const tested = await testEngine(ctx, { account_id: ctx.caller.account_id, engine })
    return { engine, ...tested }
  },

  async 'engine.remove'(ctx, { engine }) {
    const { account_id } = ctx.caller
    await ctx.control.transaction(async (trx) => {
      for (const table of ['engine_settings', 'sentiment_settings'] as const) {
        await trx.deleteFrom(table).where('account_id', '=', account_id).where('engine', '=', engine).execute()
      }
      await removePlanEngine(trx, { account_id, engine })
    })
    await ctx.control.scrub()
    return { engine }
  },

  async 'engine.sentiment'(ctx, { engine, accepts_sending }) {
    const { account_id } = ctx.caller
    if (engine !== null && !accepts_sending) {
      throw new Refusal(
        'invalid_input',
        `Texts of answers, also those of other engines, are sent to ${engine} to be judged: accept that too.`,
      )
    }
    const accepted_at = engine === null ? null : ctx.clock.now()
    await ctx.control.transaction(async (trx) => {
      await trx.deleteFrom('sentiment_settings').where('account_id', '=', account_id).execute()
      if (engine !== null && accepted_at !== null) {
        await trx.insertInto('sentiment_settings').values({ account_id, engine, accepted_at }).execute()
      }
    })
    return { engine, accepted_at: instantOrNull(accepted_at) }
  },
}

/** What was wrong before may be right now. */
const MENDED = { fault: null, fault_at: null, paused_until: null } as const

async function change(ctx: Called, engine: ApiEngine, changed: Partial<EngineSettingRow>): Promise<EngineState> {
  const { account_id } = ctx.caller
  const row = await ctx.control.transaction((trx) => changeSettings(trx, { account_id, engine }, changed))
  // The replaced key must not remain in a file.
  if (changed.sealed_key !== undefined) await ctx.control.scrub()
  return describe(ctx.control.db, row, ctx.clock.now())
}

async function readSentimentEngine(db: ControlDb, account_id: string): Promise<string | null> {
  const chosen = await db
    .selectFrom('sentiment_settings')
    .select('engine')
    .where('account_id', '=', account_id)
    .executeTakeFirst()
  return chosen === undefined ? null : chosen.engine
}

async function describe(db: ControlDb, row: EngineSettingRow, now: number): Promise<EngineState> {
  const engine = row.engine as ApiEngine
  const adapter = adapterOf(engine)
  const used = await readMonth(db, row, budgetMonth(now))
  const expected = expectCost(adapter, row, used)
  return {
    engine,
    provider: adapter.provider,
    is_enabled: row.is_enabled === 1,
    has_key: row.sealed_key !== null,
    ...settingsOf(adapter, row),
    at_once: row.at_once,
    terms: { needed: adapter.needs_terms !== null, accepted_at: instantOrNull(row.terms_accepted_at) },
    obstacle: obstacleOf(row),
    fault: row.fault,
    paused_until: row.paused_until !== null && row.paused_until > now ? instantOrNull(row.paused_until) : null,
    prices: pricesOf(adapter, row),
    month: {
      month: used.month,
      calls: used.calls,
      budget_calls: row.budget_calls,
      spent_micros: used.spent_micros,
      reserved_micros: used.reserved_micros,
      budget_micros: row.budget_micros,
      estimate_micros: expected.estimate_micros,
      reserve_micros: expected.reserved_micros,
      has_room: hasRoom(row, used, expected),
    },
  }
}
