/** ChatGPT's models by OpenAI's Responses API with web search. */

import { amountAt, textAt } from '#json-members.ts'
import type { EngineAdapter, EngineQuestion, EngineRequest, EngineSettings } from './adapter.ts'
import { answered, type EngineAnswer, type FailedAnswerCode, failedAnswer, refusedAnswer } from './engine-answer.ts'
import { codeOfStatus, type EngineResponse, messageIn, retryOf } from './engine-failures.ts'
import { isResponse, readResponseText, readSearches, tokensOf } from './responses-api.ts'

/** Codes of HTTP 429 for which waiting does not help. */
const SPENT = new Set([
  'insufficient_quota',
  'credit_balance_exhausted',
  'organization_spend_limit_exceeded',
  'project_spend_limit_exceeded',
  'organization_usage_limit_exceeded',
])

export const openai: EngineAdapter = {
  engine: 'chatgpt',
  provider: 'openai',
  defaults: { base_url: 'https://api.openai.com/v1', model: 'gpt-5-mini', max_output_tokens: 4_000 },
  prices: { input_price_micros: 250_000, output_price_micros: 2_000_000, search_price_micros: 10_000_000 },
  takes_country: true,
  needs_terms: null,
  authorize: (api_key) => ({ authorization: `Bearer ${api_key}` }),
  ask: askOpenai,
  read: readOpenai,
}

function askOpenai(
  { text, country }: EngineQuestion,
  { base_url, model, max_output_tokens }: EngineSettings,
): EngineRequest {
  // Without a location OpenAI searches from the United States.
  const user_location = country === null ? { type: 'approximate' } : { type: 'approximate', country }
  return {
    method: 'POST',
    url: `${base_url}/responses`,
    body: {
      model,
      input: text,
      store: false,
      stream: false,
      max_output_tokens,
      tools: [{ type: 'web_search', search_context_size: 'medium', user_location }],
      tool_choice: 'auto',
      include: ['web_search_call.action.sources'],
    },
  }
}

function readOpenai(response: EngineResponse): EngineAnswer {
  const { status, json } = response
  if (status !== 200) {
    const code = codeOfError(response)
    return failedAnswer(code, messageIn(json) ?? `HTTP ${status}`, { retry: retryOf(code, response) })
  }
  if (!isResponse(json)) return failedAnswer('unreadable', 'The body is not a response of this API.')
  const searches = readSearches(json)
  const billed = amountAt(json, 'tool_usage', 'web_search', 'num_requests')
  const known = {
    model: textAt(json, 'model'),
    // Without the number that is billed, each search that was completed is expected to be.
    usage: { ...tokensOf(json), searches: billed ?? searches.completed },
  }
  if (json !== null && textAt(json, 'status') === 'failed') {
    const code = codeOfFailedRun(textAt(json, 'error', 'code'))
    const message = textAt(json, 'error', 'code') ?? 'failed'
    return failedAnswer(code, message, { ...known, retry: retryOf(code, response) })
  }
  const { text, refusal, cited, cited_spans } = readResponseText(json)
  const found = {
    text,
    cited,
    cited_spans,
    ...known,
    cost: null,
    web_search: searches.is_used ? ('used' as const) : ('not_used' as const),
    search_queries: searches.queries,
    retrieved: searches.sources,
  }
  const reason = textAt(json, 'incomplete_details', 'reason')
  if (refusal !== null) return refusedAnswer({ ...found, text: refusal }, refusal)
  if (textAt(json, 'status') === 'completed') return answered(found)
  if (reason === 'content_filter') return refusedAnswer(found, reason)
  return failedAnswer('incomplete', reason ?? String(textAt(json, 'status')), known)
}

function codeOfError({ status, json }: EngineResponse): FailedAnswerCode {
  const said = [textAt(json, 'error', 'type'), textAt(json, 'error', 'code')]
  if (status === 429 && said.some((each) => each !== null && SPENT.has(each))) return 'no_credit'
  return codeOfStatus(status)
}

function codeOfFailedRun(code: string | null): FailedAnswerCode {
  if (code === 'rate_limit_exceeded') return 'rate_limited'
  return code === 'invalid_prompt' ? 'bad_request' : 'overloaded'
}
