/** Grok by xAI's Responses API with web search. */

import { amountAt, textAt } from '#json-members.ts'
import type { TextSpan } from '../mentions/masked-spans.ts'
import type { EngineAdapter, EngineQuestion, EngineRequest, EngineSettings } from './adapter.ts'
import { answered, type EngineAnswer, failedAnswer, refusedAnswer } from './engine-answer.ts'
import { codeOfStatus, type EngineResponse, messageIn, retryOf } from './engine-failures.ts'
import { isResponse, readResponseText, readSearches, tokensOf } from './responses-api.ts'

const TICKS_PER_MICRO = 10_000
/** Citation marks in the text, for responses without offsets. */
const MARK = /\[\[\d+\]\]\([^()\s]*\)/g

export const xai: EngineAdapter = {
  engine: 'grok',
  provider: 'xai',
  defaults: { base_url: 'https://api.x.ai/v1', model: 'grok-4.5', max_output_tokens: 4_000 },
  prices: { input_price_micros: 2_000_000, output_price_micros: 6_000_000, search_price_micros: 5_000_000 },
  takes_country: false,
  needs_terms: null,
  authorize: (api_key) => ({ authorization: `Bearer ${api_key}` }),
  ask: askXai,
  read: readXai,
  // A wrong key and a malformed request are both 400, and their wording is not stable.
  probe: (_request, { base_url }) => ({
    request: { method: 'GET', url: `${base_url}/api-key`, body: null },
    if_accepted: 'bad_request',
    if_refused: 'bad_key',
  }),
}

/** The turns are limited, because `max_output_tokens` does not bound the cost of searches. */
function askXai({ text }: EngineQuestion, { base_url, model }: EngineSettings): EngineRequest {
  return {
    method: 'POST',
    url: `${base_url}/responses`,
    body: {
      model,
      input: [{ role: 'user', content: text }],
      store: false,
      stream: false,
      max_turns: 5,
      tools: [{ type: 'web_search' }],
      tool_choice: 'auto',
    },
  }
}

function readXai(response: EngineResponse): EngineAnswer {
  const { status, json } = response
  if (status !== 200) {
    const code = codeOfStatus(status)
    const retry = retryOf(code, response)
    // The first try may have been billed: xAI repeats a request on 429 only.
    const max_tries = code === 'overloaded' ? 2 : retry.max_tries
    return failedAnswer(code, messageIn(json) ?? textAt(json, 'code') ?? `HTTP ${status}`, {
      retry: { ...retry, max_tries },
    })
  }
  if (!isResponse(json)) return failedAnswer('unreadable', 'The body is not a response of this API.')
  const search_calls = amountAt(json, 'usage', 'server_side_tool_usage_details', 'web_search_calls')
  const ticks = amountAt(json, 'usage', 'cost_in_usd_ticks')
  const known = {
    model: textAt(json, 'model'),
    usage: { ...tokensOf(json), searches: search_calls },
    cost: ticks === null ? null : { amount_micros: Math.round(ticks / TICKS_PER_MICRO), currency: 'USD' },
  }
  if (textAt(json, 'status') === 'failed') {
    return failedAnswer('overloaded', messageIn(json) ?? 'failed', { ...known, retry: { max_tries: 2, wait_ms: null } })
  }
  const read = readResponseText(json)
  const searches = readSearches(json)
  const is_used = search_calls === null ? searches.is_used : search_calls > 0
  const found = {
    text: read.text,
    cited_spans: read.cited_spans.length > 0 ? read.cited_spans : marksIn(read.text),
    ...known,
    // The title of an annotation is the number of its mark.
    cited: read.cited.map(({ url }) => ({ url, title: null })),
    web_search: is_used ? ('used' as const) : ('not_used' as const),
    search_queries: searches.queries,
    retrieved: searches.sources,
  }
  if (read.refusal !== null) return refusedAnswer({ ...found, text: read.refusal }, read.refusal)
  if (textAt(json, 'status') === 'completed') return answered(found)
  const reason = textAt(json, 'incomplete_details', 'reason')
  return failedAnswer('incomplete', reason ?? String(textAt(json, 'status')), known)
}

const marksIn = (text: string): TextSpan[] =>
  [...text.matchAll(MARK)].map(({ 0: mark, index }) => ({ from: index, to: index + mark.length }))
