/** What a call of an engine costs, in millionths of a US dollar (account API 3). */
import type { EngineSettingRow } from '#control/tables.ts'
import type { EngineAdapter, EnginePrices } from './adapter.ts'
import type { EngineAnswer, EngineUsage, FailedAnswerCode } from './engine-answer.ts'

/** The owner's prices, and those of the engine where the owner set none. */
export function pricesOf(adapter: EngineAdapter, row: EngineSettingRow): EnginePrices {
  const { prices } = adapter
  return {
    input_price_micros: row.input_price_micros ?? prices.input_price_micros,
    output_price_micros: row.output_price_micros ?? prices.output_price_micros,
    search_price_micros: row.search_price_micros ?? prices.search_price_micros,
  }
}

/** An answer before any was measured: three searches whose results are read. */
const TYPICAL: EngineUsage = { input_tokens: 15_000, output_tokens: 1_000, searches: 3 }
const MILLION = 1_000_000
const THOUSAND = 1_000

export const typicalMicros = (prices: EnginePrices): number => microsOf(TYPICAL, prices)

/** What a usage costs; what is not known of it counts as nothing. Rounded up. */
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
 * What a call cost: what the provider says it bills, else what its usage costs; where neither is known and an answer
 * may have been made, `estimate_micros`.
 */
export function costOf(
  { cost, usage, failure }: Pick<EngineAnswer, 'cost' | 'usage' | 'failure'>,
  prices: EnginePrices,
  estimate_micros: number,
): CallCost {
  if (cost !== null && cost.currency === 'USD') return { amount_micros: cost.amount_micros, basis: 'billed' }
  const is_known = usage.input_tokens !== null || usage.output_tokens !== null
  if (is_known) return { amount_micros: microsOf(usage, prices), basis: 'estimated' }
  const is_free = failure !== null && UNBILLED.some((code) => code === failure.code)
  return is_free ? { amount_micros: 0, basis: null } : { amount_micros: estimate_micros, basis: 'estimated' }
}
