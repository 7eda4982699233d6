/** Asks an engine one question over the network (account API 3). */
import { excerpt } from '#foreign-text.ts'
import { withoutControlCharacters } from '#names.ts'
import { OutgoingRefusal } from '#outgoing/refused.ts'
import { type SafeFetchAnswer, type SafeFetchContext, safeFetch } from '#outgoing/safe-fetch.ts'
import { Refusal } from '#refusal.ts'
import type { Continuation, EngineAdapter, EngineQuestion, EngineRequest, EngineSettings } from './adapter.ts'
import { type EngineAnswer, type FailedAnswerCode, failedAnswer } from './engine-answer.ts'
import { type EngineResponse, retryOf } from './engine-failures.ts'

export interface EngineContext {
  adapter: EngineAdapter
  outgoing: SafeFetchContext
  settings: EngineSettings
  /** A secret, which is used in a header only. */
  api_key: string
  /** Terms that an admin accepted. */
  accepted_terms: readonly string[]
  /** For one request and its response; 120 seconds. */
  timeout_ms?: number
  /** Whether the engine may search the web; true unless given. */
  searches?: boolean
}

/** An answer with the bytes that it was read from: of each request in turn. */
export interface ReceivedAnswer extends EngineAnswer {
  raw: readonly Buffer[]
  country_applied: boolean | null
}

const TIMEOUT_MS = 120_000
const PROBE_TIMEOUT_MS = 10_000
const MAX_BYTES = 32 * 1024 ** 2
const MAX_CONTINUATIONS = 3
const MAX_MESSAGE_CHARACTERS = 300

/**
 * One answer, whatever happens on the way: failures of provider and network are answers of state `failed`.
 * @throws Refusal forbidden while the terms of the engine are not accepted; the reason of `signal` when it is aborted.
 */
export async function askEngine(
  ctx: EngineContext,
  question: EngineQuestion,
  signal: AbortSignal,
): Promise<ReceivedAnswer> {
  const { adapter, settings, accepted_terms } = ctx
  if (adapter.needs_terms !== null && !accepted_terms.includes(adapter.needs_terms)) {
    throw new Refusal(
      'forbidden',
      `An admin must accept the terms of ${adapter.needs_terms} before ${adapter.engine} is asked.`,
    )
  }
  const raw: Buffer[] = []
  const request = adapter.ask(question, settings)
  const answer = await converse(ctx, ctx.searches === false ? withoutTools(request) : request, raw, signal)
  const country_applied = question.country === null ? null : adapter.takes_country
  return { ...withCleanMessage(answer, ctx.api_key), raw, country_applied }
}

/** Every protocol has the search as a tool, under the same name. */
function withoutTools(request: EngineRequest): EngineRequest {
  const { tools: _tools, tool_choice: _choice, include: _include, ...body } = request.body ?? {}
  return { ...request, body }
}

/** Asks a question, and continues where the provider paused. */
async function converse(
  ctx: EngineContext,
  first: EngineRequest,
  raw: Buffer[],
  signal: AbortSignal,
): Promise<EngineAnswer> {
  const parts: EngineAnswer[] = []
  let request = first
  for (;;) {
    const result = await exchange(ctx, request, raw, signal)
    if (!('next' in result)) return withUsageOf(result, parts)
    parts.push(result.part)
    if (parts.length > MAX_CONTINUATIONS) return withUsageOf(result.part, parts.slice(0, -1))
    request = result.next
  }
}

async function exchange(
  ctx: EngineContext,
  request: EngineRequest,
  raw: Buffer[],
  signal: AbortSignal,
): Promise<EngineAnswer | Continuation> {
  const sent = await send(ctx, request, ctx.timeout_ms ?? TIMEOUT_MS, signal)
  if (sent instanceof OutgoingRefusal) {
    const code = codeOfNetwork(sent)
    return failedAnswer(code, sent.message, { retry: retryOf(code, { headers: {} }) })
  }
  raw.push(sent.body)
  const response = { status: sent.status, headers: sent.headers, json: parse(sent.body) }
  const read = ctx.adapter.read(response, request)
  return isOpen(read, response) ? settle(ctx, request, read, signal) : read
}

/** The response, or why there was none. Redirects are not followed, so that the key is sent to no other server. */
async function send(
  { outgoing, adapter, api_key }: EngineContext,
  { method, url, body }: EngineRequest,
  timeout_ms: number,
  signal: AbortSignal,
): Promise<SafeFetchAnswer | OutgoingRefusal> {
  const headers = { ...adapter.authorize(api_key), accept: 'application/json' }
  const content = body === null ? {} : { body: JSON.stringify(body) }
  try {
    return await safeFetch(outgoing, url, {
      method,
      max_bytes: MAX_BYTES,
      timeout_ms,
      redirects: 0,
      signal,
      headers: body === null ? headers : { ...headers, 'content-type': 'application/json' },
      ...content,
    })
  } catch (error) {
    if (error instanceof OutgoingRefusal) return error
    throw error
  }
}

/**
 * An incomplete, too long or damaged response is `unreadable`, and may have been billed; an unreachable server has not.
 */
function codeOfNetwork({ kind, code }: OutgoingRefusal): FailedAnswerCode {
  if (kind === 'invalid_input') return 'bad_request'
  if (code === 'timeout') return 'timeout'
  return ['no_address', 'not_connected', 'tls'].includes(code) ? 'overloaded' : 'unreadable'
}

/** Undefined for what is not JSON, for example a page of HTML. */
function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Whether the status does not decide the code, and the adapter has a probe that does. */
const isOpen = (read: EngineAnswer | Continuation, { status }: EngineResponse): read is EngineAnswer =>
  status === 400 && 'failure' in read && read.failure?.code === 'bad_request'

async function settle(
  ctx: EngineContext,
  request: EngineRequest,
  read: EngineAnswer,
  signal: AbortSignal,
): Promise<EngineAnswer> {
  const probe = ctx.adapter.probe?.(request, ctx.settings)
  if (probe === undefined || read.failure === null) return read
  const sent = await send(ctx, probe.request, PROBE_TIMEOUT_MS, signal)
  if (sent instanceof OutgoingRefusal || sent.status >= 500 || sent.status === 404 || sent.status === 429) return read
  const code = sent.status === 200 ? probe.if_accepted : probe.if_refused
  return { ...read, failure: { ...read.failure, code } }
}

/** The answer with the usage of its earlier parts, which are billed as well. */
function withUsageOf(answer: EngineAnswer, parts: readonly EngineAnswer[]): EngineAnswer {
  const all = [...parts, answer]
  const sum = (name: keyof EngineAnswer['usage']) => {
    const known = all.map(({ usage }) => usage[name]).filter((each) => each !== null)
    return known.length === 0 ? null : known.reduce((total, each) => total + each, 0)
  }
  return {
    ...answer,
    usage: { input_tokens: sum('input_tokens'), output_tokens: sum('output_tokens'), searches: sum('searches') },
  }
}

/** The message of a provider, shortened, without the key and without terminal control characters. */
function withCleanMessage(answer: EngineAnswer, api_key: string): EngineAnswer {
  if (answer.failure === null) return answer
  const said = withoutControlCharacters(answer.failure.message.replaceAll(api_key, '…').replaceAll('\n', ' '))
  return { ...answer, failure: { ...answer.failure, message: excerpt(said, MAX_MESSAGE_CHARACTERS) } }
}
