import type { Engine } from '#contract/vocabulary.ts'
import type { EngineAnswer, FailedAnswerCode } from './engine-answer.ts'
import type { EngineResponse } from './engine-failures.ts'

/** The settings of an engine. */
export interface EngineSettings {
  /** Without a slash at the end. */
  base_url: string
  model: string
  max_output_tokens: number
}

/** In millionths of a US dollar. */
export interface EnginePrices {
  /** Per million tokens. */
  input_price_micros: number
  output_price_micros: number
  /** Per thousand searches. */
  search_price_micros: number
}

export interface EngineQuestion {
  text: string
  /** ISO 3166-1 alpha-2, or null. */
  country: string | null
}

/** A request without its key. */
export interface EngineRequest {
  method: 'GET' | 'POST'
  url: string
  body: Record<string, unknown> | null
}

/** The next request of an answer that the provider paused. */
export interface Continuation {
  next: EngineRequest
  /** The usage of the paused part. */
  part: EngineAnswer
}

/** A second, free request, for failures whose status has several causes. */
export interface FailureProbe {
  request: EngineRequest
  /** The code if the probe succeeds, and if it is refused. */
  if_accepted: FailedAnswerCode
  if_refused: FailedAnswerCode
}

/** The protocol of a provider: how a question is asked, and what its responses mean. It makes no requests itself. */
export interface EngineAdapter {
  engine: Engine
  provider: string
  defaults: EngineSettings
  /** Prices of the default model, as published in November 2026; admins may set others. */
  prices: EnginePrices
  /** False: the provider takes no country, and answers have `country_applied: false`. */
  takes_country: boolean
  /** Terms that an admin must accept before anything is asked; null: none. */
  needs_terms: 'google' | null
  /** Headers with the key. */
  authorize(api_key: string): Record<string, string>
  ask(question: EngineQuestion, settings: EngineSettings): EngineRequest
  /** Reads the response to `request`. */
  read(response: EngineResponse, request: EngineRequest): EngineAnswer | Continuation
  /** For a failure with status 400. */
  probe?(request: EngineRequest, settings: EngineSettings): FailureProbe
}
