/**
 * Gemini by Google's generateContent with Google Search. Its terms may forbid storing the answers, so an admin must
 * accept them first.
 */

import { amountAt, itemsAt, memberAt, objectsAt, textAt, textsAt } from '#json-members.ts'
import type { EngineAdapter, EngineQuestion, EngineRequest, EngineSettings } from './adapter.ts'
import {
  answered,
  type EngineAnswer,
  type FailedAnswerCode,
  failedAnswer,
  type RawCitation,
  refusedAnswer,
} from './engine-answer.ts'
import { believedWait, codeOfStatus, type EngineResponse, messageIn, retryOf } from './engine-failures.ts'

/** Finish reasons of Google's filters. With a reason that is not listed here, the answer is unknown. */
const FILTERED = new Set(['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'LANGUAGE'])

export const gemini: EngineAdapter = {
  engine: 'gemini',
  provider: 'google',
  defaults: {
    base_url: 'https://generativelanguage.googleapis.com',
    model: 'gemini-3.8-flash',
    max_output_tokens: 4_096,
  },
  prices: { input_price_micros: 750_000, output_price_micros: 3_750_000, search_price_micros: 14_000_000 },
  takes_country: false,
  needs_terms: 'google',
  // As a parameter of the URL, the key would be in logs.
  authorize: (api_key) => ({ 'x-goog-api-key': api_key }),
  ask: askGemini,
  read: readGemini,
}

function askGemini({ text }: EngineQuestion, { base_url, model, max_output_tokens }: EngineSettings): EngineRequest {
  return {
    method: 'POST',
    url: `${base_url}/v1beta/models/${encodeURIComponent(model)}:generateContent`,
    body: {
      contents: [{ role: 'user', parts: [{ text }] }],
      tools: [{ google_search: {} }],
      generationConfig: { maxOutputTokens: max_output_tokens },
    },
  }
}

function readGemini(response: EngineResponse): EngineAnswer {
  const { status, json } = response
  if (status !== 200) return readError(response)
  const [candidate] = objectsAt(json, 'candidates')
  const blocked = textAt(json, 'promptFeedback', 'blockReason')
  const reason = textAt(candidate, 'finishReason')
  if (reason === null && blocked === null) return failedAnswer('unreadable', 'The body holds no finished candidate.')
  const grounding = memberAt(candidate, 'groundingMetadata')
  const queries = textsAt(grounding, 'webSearchQueries')
  const found_on_web = readGrounding(json, grounding, queries)
  const known = {
    model: textAt(json, 'modelVersion'),
    usage: {
      input_tokens: amountAt(json, 'usageMetadata', 'promptTokenCount'),
      output_tokens: outputTokens(json),
      searches: found_on_web.search_queries?.length ?? null,
    },
  }
  const parts = objectsAt(candidate, 'content', 'parts').filter(({ thought }) => thought !== true)
  const text = parts.map((part) => textAt(part, 'text') ?? '').join('')
  const found = { text, ...found_on_web, ...known, cost: null }
  if (blocked !== null) return refusedAnswer(found, blocked)
  if (reason === 'STOP') return answered(found)
  if (reason !== null && FILTERED.has(reason)) return refusedAnswer(found, reason)
  return failedAnswer(reason === 'MAX_TOKENS' ? 'incomplete' : 'unreadable', String(reason), known)
}

/** Google's price for output also applies to thinking, which it counts separately. */
function outputTokens(json: unknown): number | null {
  const answer = amountAt(json, 'usageMetadata', 'candidatesTokenCount')
  const thoughts = amountAt(json, 'usageMetadata', 'thoughtsTokenCount')
  return answer === null && thoughts === null ? null : Number(answer) + Number(thoughts)
}

/** The meaning of missing grounding: without tokens for tools there was no search; with them the grounding was lost. */
function readGrounding(json: unknown, grounding: unknown, queries: string[]) {
  const was_called = Number(amountAt(json, 'usageMetadata', 'toolUsePromptTokenCount')) > 0
  if (queries.length === 0) {
    return was_called
      ? { web_search: 'unknown' as const, search_queries: null, cited: null, retrieved: null }
      : { web_search: 'not_used' as const, search_queries: [], cited: [], retrieved: [] }
  }
  const chunks = itemsAt(grounding, 'groundingChunks').map(readChunk)
  const used = { web_search: 'used' as const, search_queries: queries }
  if (chunks.length === 0) return { ...used, cited: null, retrieved: null }
  const supports = objectsAt(grounding, 'groundingSupports').sort((a, b) => startOf(a) - startOf(b))
  const indices = supports.flatMap((support) => itemsAt(support, 'groundingChunkIndices').map(Number))
  return {
    ...used,
    // A support may refer to a chunk that was not sent.
    cited: indices.flatMap((index) => chunks[index] ?? []),
    retrieved: chunks.filter((chunk) => chunk !== null),
  }
}

function readChunk(chunk: unknown): RawCitation | null {
  const url = textAt(chunk, 'web', 'uri')
  return url === null ? null : { url, title: textAt(chunk, 'web', 'title') }
}

/** Google leaves out a start of 0. */
const startOf = (support: unknown): number => Number(amountAt(support, 'segment', 'startIndex'))

function readError(response: EngineResponse): EngineAnswer {
  const { status, json } = response
  const details = objectsAt(json, 'error', 'details')
  const is_key = details.some(({ reason }) => reason === 'API_KEY_INVALID')
  const code: FailedAnswerCode = is_key ? 'bad_key' : codeOfStatus(status)
  const retry = retryOf(code, response)
  const violations = details.flatMap((detail) => objectsAt(detail, 'violations'))
  const is_daily = violations.some((each) => textAt(each, 'quotaId')?.includes('PerDay') === true)
  const wait_ms = details.map((detail) => delayOf(textAt(detail, 'retryDelay'))).find((wait) => wait !== null)
  return failedAnswer(code, messageIn(json) ?? `HTTP ${status}`, {
    retry: is_daily ? { max_tries: 1, wait_ms: null } : { ...retry, wait_ms: wait_ms ?? retry.wait_ms },
  })
}

/** `34.4s` of a RetryInfo, in milliseconds. */
function delayOf(text: string | null): number | null {
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(text ?? '')
  return seconds === null ? null : believedWait(Number(seconds[1]) * 1_000)
}
