/** Engines that are asked with the owner's keys, what they may cost, and which of them judges sentiment. */
import Type from 'typebox'
import { Count, Instant, oneOf, orNull } from '../fields.ts'
import { API_ENGINES, ENGINE_OBSTACLES, ENGINES } from '../vocabulary.ts'
import { onAccount } from './define.ts'

const engine = oneOf(API_ENGINES)
/** Millionths of a US dollar. */
const Micros = Count
const price = Type.Integer({ minimum: 0, maximum: 10_000_000_000 })

const EngineState = Type.Object({
  engine,
  provider: Type.String(),
  is_enabled: Type.Boolean(),
  has_key: Type.Boolean(),
  model: Type.String(),
  base_url: Type.String(),
  max_output_tokens: Count,
  at_once: Count,
  terms: Type.Object({ needed: Type.Boolean(), accepted_at: orNull(Instant) }),
  /** Null: it is asked. */
  obstacle: orNull(oneOf(ENGINE_OBSTACLES)),
  /** Why the last call failed, if every call would fail so: `bad_key`, `no_credit`, `model_unknown`. */
  fault: orNull(Type.String()),
  paused_until: orNull(Instant),
  prices: Type.Object({
    input_price_micros: Micros,
    output_price_micros: Micros,
    search_price_micros: Micros,
  }),
  month: Type.Object({
    month: Type.String({ description: 'YYYY-MM, UTC' }),
    calls: Count,
    budget_calls: Count,
    spent_micros: Micros,
    reserved_micros: Micros,
    budget_micros: Micros,
    /** What the next call is expected to cost, and what is set aside for it. */
    estimate_micros: Micros,
    reserve_micros: Micros,
    has_room: Type.Boolean(),
  }),
})

export const engineOperations = [
  onAccount('engine.list', 'The engines that can be asked, their settings, and what they used this month', {
    output: Type.Object({ engines: Type.Array(EngineState), sentiment_engine: orNull(engine) }),
  }),
  onAccount('engine.set_key', 'Give an engine the key with which it is asked, and switch it on', {
    effect: 'write',
    input: { engine, api_key: Type.String() },
    output: EngineState,
  }),
  onAccount('engine.accept_terms', 'Accept the terms of a provider that may bar storing its answers', {
    effect: 'write',
    input: { engine },
    output: EngineState,
  }),
  onAccount('engine.enable', 'Ask an engine again', {
    effect: 'write',
    input: { engine },
    output: EngineState,
  }),
  onAccount('engine.disable', 'Stop asking an engine; its key stays', {
    effect: 'write',
    input: { engine },
    output: EngineState,
  }),
  onAccount('engine.configure', 'Change how an engine is asked; what is left out stays', {
    effect: 'write',
    input: {
      engine,
      model: Type.Optional(Type.String()),
      base_url: Type.Optional(Type.String()),
      max_output_tokens: Type.Optional(Type.Integer({ minimum: 16, maximum: 20_000 })),
      at_once: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
      input_price_micros: Type.Optional(price),
      output_price_micros: Type.Optional(price),
      search_price_micros: Type.Optional(price),
    },
    output: EngineState,
  }),
  onAccount('engine.budget', 'What an engine may use in a calendar month; what is left out stays', {
    effect: 'write',
    input: {
      engine,
      calls: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
      /** Millionths of a US dollar. */
      micros: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 })),
    },
    output: EngineState,
  }),
  onAccount('engine.test', 'Ask an engine one short question without a search; it counts against the budget', {
    effect: 'write',
    input: { engine },
    output: Type.Object({
      engine,
      state: oneOf(['answered', 'refused', 'failed']),
      code: orNull(Type.String()),
      message: orNull(Type.String()),
      model: orNull(Type.String()),
      cost_micros: Micros,
    }),
  }),
  onAccount('engine.remove', 'Forget key and settings of an engine and take it out of the plan; its answers stay', {
    effect: 'write',
    // Also one that is only imported: any engine may be in the plan.
    input: { engine: oneOf(ENGINES) },
    output: Type.Object({ engine: oneOf(ENGINES) }),
  }),
  onAccount('engine.sentiment', 'Choose the engine that judges how answers speak of brands; null: none', {
    effect: 'write',
    input: {
      engine: orNull(engine),
      /** Texts of answers are sent to that engine. */
      accepts_sending: Type.Boolean(),
    },
    output: Type.Object({ engine: orNull(engine), accepted_at: orNull(Instant) }),
  }),
] as const
