/** What a call of an engine costs, in millionths of a US dollar (account API 3). */
import type { EngineSettingRow } from '#control/tables.ts'
import type { EngineAdapter, EnginePrices } from './adapter.ts'
import type { EngineAnswer, EngineUsage, FailedAnswerCode } from './engine-answer.ts'

/** The prices that an admin set, and the engine's default prices for the others. */
export function pricesOf(adapter: EngineAdapter, row: EngineSettingRow): EnginePrices {
  const { prices } = adapter
  return {
    input_price_micros: row.input_price_micros ?? prices.input_price_micros,
    output_price_micros: row.output_price_micros ?? prices.output_price_micros,
    search_price_micros: row.search_price_micros ?? prices.search_price_micros,
  }
}

/** The assumed usage before any answer was measured: three searches whose results are read. */
const TYPICAL: EngineUsage = { input_tokens: 15_000, output_tokens: 1_000, searches: 3 }
const MILLION = 1_000_000
const THOUSAND = 1_000

export const typicalMicros = (prices: EnginePrices): number => microsOf(TYPICAL, prices)

/** The cost of a usage, rounded up; unknown parts count as zero. */
export function microsOf({ input_tokens, output_tokens, searches }: EngineUsage, prices: EnginePrices): number {
  const tokens = Number(input_tokens) * prices.input_price_micros + Number(output_tokens) * prices.output_price_micros
  return Math.ceil(tokens / MILLION + (Number(searches) * prices.search_price_micros) / THOUSAND)
}

/** Providers bill nothing for these. */
const UNBILLED: readonly FailedAnswerCode[] = [
  'bad_key',
  'no_credit',
  'bad_request',
  'rate_limited',
  'model_unknown',
  'overloaded',
]

export interface CallCost {
  amount_micros: number
  /** Null: nothing is billed, so there is no cost to show. */
  basis: 'billed' | 'estimated' | null
}

/**
 * The greatest budget of a month. A provider that reports more for one call is mistaken, and the stores could not add
 * up such amounts exactly.
 */
const MAX_CALL_MICROS = 1_000_000_000_000

const isCredible = (amount_micros: number): boolean => amount_micros <= MAX_CALL_MICROS

/**
 * The cost of a call: the amount that the provider reports, else the cost of its usage. If neither is known or credible
 * and the provider may have made an answer, `estimate_micros`.
 */
export function costOf(
  { cost, usage, failure }: Pick<EngineAnswer, 'cost' | 'usage' | 'failure'>,
  prices: EnginePrices,
  estimate_micros: number,
): CallCost {
  if (cost !== null && cost.currency === 'USD' && isCredible(cost.amount_micros)) {
    return { amount_micros: cost.amount_micros, basis: 'billed' }
  }
  const is_known = usage.input_tokens !== null || usage.output_tokens !== null
  const used_micros = microsOf(usage, prices)
  if (is_known && isCredible(used_micros)) return { amount_micros: used_micros, basis: 'estimated' }
  const is_free = !is_known && failure !== null && UNBILLED.some((code) => code === failure.code)
  return is_free ? { amount_micros: 0, basis: null } : { amount_micros: estimate_micros, basis: 'estimated' }
}
