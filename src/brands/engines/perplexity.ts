/** Perplexity's Agent API with its own model: a preset may run another vendor's. */

import { amountAt, memberAt, objectsAt, textAt, textsAt } from '#json-members.ts'
import type { TextSpan } from '../mentions/masked-spans.ts'
import type { EngineAdapter, EngineQuestion, EngineRequest, EngineSettings } from './adapter.ts'
import { answered, type EngineAnswer, failedAnswer, type RawCitation } from './engine-answer.ts'
import { codeOfStatus, type EngineResponse, messageIn, retryOf } from './engine-failures.ts'
import { isResponse, readResponseText, tokensOf } from './responses-api.ts'

const MICROS = 1_000_000
const MARK = /\[(\d{1,4})\]/g

export const perplexity: EngineAdapter = {
  engine: 'perplexity',
  provider: 'perplexity',
  defaults: { base_url: 'https://api.perplexity.ai', model: 'perplexity/sonar', max_output_tokens: 2_048 },
  prices: { input_price_micros: 250_000, output_price_micros: 2_500_000, search_price_micros: 2_500_000 },
  takes_country: true,
  needs_terms: null,
  authorize: (api_key) => ({ authorization: `Bearer ${api_key}` }),
  ask: askPerplexity,
  read: readPerplexity,
}

function askPerplexity(
  { text, country }: EngineQuestion,
  { base_url, model, max_output_tokens }: EngineSettings,
): EngineRequest {
  const place = country === null ? {} : { user_location: { country } }
  return {
    method: 'POST',
    url: `${base_url}/v1/agent`,
    body: {
      model,
      input: text,
      stream: false,
      store: false,
      max_output_tokens,
      tools: [{ type: 'web_search', search_context_size: 'medium', ...place }],
    },
  }
}

function readPerplexity(response: EngineResponse): EngineAnswer {
  const { status, json } = response
  if (status !== 200) {
    const code = status === 504 ? 'overloaded' : codeOfStatus(status)
    return failedAnswer(code, messageIn(json) ?? `HTTP ${status}`, { retry: retryOf(code, response) })
  }
  if (!isResponse(json)) return failedAnswer('unreadable', 'The body is not a response of this API.')
  const total = amountAt(json, 'usage', 'cost', 'total_cost')
  const known = {
    model: textAt(json, 'model'),
    usage: {
      ...tokensOf(json),
      searches: amountAt(json, 'usage', 'tool_calls_details', 'search_web', 'invocation'),
    },
    cost: total === null ? null : { amount_micros: Math.round(total * MICROS), currency: 'USD' },
  }
  if (textAt(json, 'status') === 'failed') {
    const retry = retryOf('overloaded', response)
    return failedAnswer('overloaded', messageIn(json) ?? 'failed', { ...known, retry })
  }
  if (textAt(json, 'status') !== 'completed') {
    return failedAnswer(
      'incomplete',
      textAt(json, 'incomplete_details', 'reason') ?? String(textAt(json, 'status')),
      known,
    )
  }
  const { text } = readResponseText(json)
  const searches = objectsAt(json, 'output').filter(({ type }) => type === 'search_results')
  const results = readResults(searches)
  const { cited, cited_spans } = readMarks(text, results)
  return answered({
    text,
    cited,
    cited_spans,
    ...known,
    web_search: searches.length > 0 ? 'used' : 'not_used',
    search_queries: [...new Set(searches.flatMap((search) => textsAt(search, 'queries')))],
    retrieved: [...results.values()],
  })
}

/** Results by the number that marks them. */
function readResults(searches: readonly unknown[]): Map<string, RawCitation> {
  const results = new Map<string, RawCitation>()
  for (const result of searches.flatMap((search) => objectsAt(search, 'results'))) {
    const url = textAt(result, 'url')
    const id = String(memberAt(result, 'id'))
    if (url !== null && !results.has(id)) results.set(id, { url, title: textAt(result, 'title') })
  }
  return results
}

/** Marks `[n]` of known results; other marks count as text. */
function readMarks(text: string, results: ReadonlyMap<string, RawCitation>) {
  const [cited, cited_spans]: [RawCitation[], TextSpan[]] = [[], []]
  for (const { 0: mark, 1: id = '', index } of text.matchAll(MARK)) {
    const result = results.get(id)
    if (result === undefined) continue
    cited.push(result)
    cited_spans.push({ from: index, to: index + mark.length })
  }
  return { cited, cited_spans }
}
