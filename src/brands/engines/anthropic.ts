/** Claude by Anthropic's Messages API with its web search tool. */

import { amountAt, itemsAt, memberAt, objectsAt, textAt } from '#json-members.ts'
import type { Continuation, EngineAdapter, EngineQuestion, EngineRequest, EngineSettings } from './adapter.ts'
import {
  answered,
  type EngineAnswer,
  type FailedAnswerCode,
  failedAnswer,
  NEVER,
  NO_USAGE,
  refusedAnswer,
} from './engine-answer.ts'
import { codeOfStatus, type EngineResponse, messageIn, retryOf } from './engine-failures.ts'

const SPENT = new Set(['enforced_spend_limit_reached', 'contract_spend_limit_reached'])
const ENDED = new Set(['end_turn', 'stop_sequence'])
const CUT = new Set(['max_tokens', 'model_context_window_exceeded'])

export const anthropic: EngineAdapter = {
  engine: 'claude',
  provider: 'anthropic',
  defaults: { base_url: 'https://api.anthropic.com', model: 'claude-haiku-4-5', max_output_tokens: 4_096 },
  prices: { input_price_micros: 1_000_000, output_price_micros: 5_000_000, search_price_micros: 10_000_000 },
  takes_country: true,
  needs_terms: null,
  authorize: (api_key) => ({ 'x-api-key': api_key, 'anthropic-version': '2026-10-21' }),
  ask: askAnthropic,
  read: readAnthropic,
  // A spending limit that the owner set is a 400 without a code. Counting tokens is free and refuses what is malformed.
  probe: ({ body }, { base_url }) => ({
    request: { method: 'POST', url: `${base_url}/v1/messages/count_tokens`, body: withoutLimits(body) },
    if_accepted: 'no_credit',
    if_refused: 'bad_request',
  }),
}

/** Sampling parameters are refused even at their default values, so none is sent. */
function askAnthropic(
  { text, country }: EngineQuestion,
  { base_url, model, max_output_tokens }: EngineSettings,
): EngineRequest {
  const place = country === null ? {} : { user_location: { type: 'approximate', country } }
  return {
    method: 'POST',
    url: `${base_url}/v1/messages`,
    body: {
      model,
      max_tokens: max_output_tokens,
      stream: false,
      messages: [{ role: 'user', content: text }],
      tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 5, ...place }],
      tool_choice: { type: 'auto' },
    },
  }
}

function withoutLimits(body: Record<string, unknown> | null): Record<string, unknown> {
  const { max_tokens: _max, stream: _stream, ...rest } = body ?? {}
  return rest
}

function readAnthropic(response: EngineResponse, request: EngineRequest): EngineAnswer | Continuation {
  const { status, json } = response
  if (status !== 200) {
    const code = codeOfError(response)
    const message = spentReason(json) ?? messageIn(json) ?? `HTTP ${status}`
    return failedAnswer(code, message, { retry: retryOf(code, response) })
  }
  const reason = textAt(json, 'stop_reason')
  if (reason === null || !Array.isArray(memberAt(json, 'content'))) {
    return failedAnswer('unreadable', 'The body is not a message of this API.')
  }
  const known = { model: textAt(json, 'model'), usage: usageOf(json) }
  if (CUT.has(reason)) return failedAnswer('incomplete', reason, known)
  if (reason === 'pause_turn') return { next: continued(request, json), part: pausedPart(known) }
  const found = { ...readContent([...saidBefore(request), ...objectsAt(json, 'content')]), ...known, cost: null }
  if (reason === 'refusal') return refusedAnswer(found, textAt(json, 'stop_details', 'category') ?? reason)
  return ENDED.has(reason) ? answered(found) : failedAnswer('unreadable', `It stopped for ${reason}.`, known)
}

/** The text and searches before a pause, which a continued answer does not repeat. */
const saidBefore = ({ body }: EngineRequest) =>
  objectsAt(body, 'messages')
    .filter(({ role }) => role === 'assistant')
    .flatMap((message) => objectsAt(message, 'content'))

/** Leaves out the text before the first search, which only announces it ("I'll look that up"). */
export function readContent(blocks: ReturnType<typeof objectsAt>) {
  const first_search = blocks.findIndex(({ type }) => type === 'server_tool_use')
  const texts = blocks.slice(first_search + 1).filter(({ type }) => type === 'text')
  const searches = blocks.filter(({ type, name }) => type === 'server_tool_use' && name === 'web_search')
  const results = resultsIn(blocks)
  return {
    text: texts.map((block) => textAt(block, 'text') ?? '').join(''),
    cited: texts.flatMap((block) => objectsAt(block, 'citations')).flatMap(linkOf),
    // An error instead of results means that the search failed; an empty list means that it found nothing.
    web_search: results.length > 0 ? ('used' as const) : ('not_used' as const),
    search_queries: searches.flatMap((search) => textAt(search, 'input', 'query') ?? []),
    retrieved: results.flatMap((result) => objectsAt(result, 'content')).flatMap(linkOf),
  }
}

const resultsIn = (blocks: ReturnType<typeof objectsAt>) =>
  blocks.filter(({ type, content }) => type === 'web_search_tool_result' && Array.isArray(content))

function linkOf(value: unknown) {
  const url = textAt(value, 'url')
  return url === null ? [] : [{ url, title: textAt(value, 'title') }]
}

/** Sends the paused answer back unchanged, so that the model continues it. */
function continued(request: EngineRequest, json: unknown): EngineRequest {
  const messages = [...itemsAt(request.body, 'messages'), { role: 'assistant', content: memberAt(json, 'content') }]
  return { ...request, body: { ...request.body, messages } }
}

const pausedPart = ({ model, usage }: Pick<EngineAnswer, 'model' | 'usage'>): EngineAnswer =>
  failedAnswer('incomplete', 'pause_turn', { model, usage, retry: NEVER })

const usageOf = (json: unknown) => ({
  ...NO_USAGE,
  input_tokens: amountAt(json, 'usage', 'input_tokens'),
  output_tokens: amountAt(json, 'usage', 'output_tokens'),
  // It may be null: each search that gave results is expected to be billed then.
  searches:
    amountAt(json, 'usage', 'server_tool_use', 'web_search_requests') ?? resultsIn(objectsAt(json, 'content')).length,
})

function codeOfError({ status, json }: EngineResponse): FailedAnswerCode {
  return status === 429 && spentReason(json) !== null ? 'no_credit' : codeOfStatus(status)
}

function spentReason(json: unknown): string | null {
  const code = textAt(json, 'error', 'details', 'error_code')
  return code !== null && SPENT.has(code) ? code : null
}
