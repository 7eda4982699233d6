/** Requests to Cloudflare's API; every failure is a CloudflareFailure with a stable code. */
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { MINUTE_MS } from '#clock.ts'
import { OutgoingRefusal } from '#outgoing/refused.ts'
import { type SafeFetchAnswer, type SafeFetchContext, safeFetch } from '#outgoing/safe-fetch.ts'
import { CloudflareFailure } from './failure.ts'

/** The shape of an answer, such as a compiled schema. */
export interface Shape<T> {
  Check(value: unknown): value is T
}

export interface CloudflareApi {
  /** Without a slash at the end: https://api.cloudflare.com/client/v4. */
  base_url: string
  outgoing: SafeFetchContext
  /** The time limit of one request. */
  timeout_ms: number
  /** A secret, sent only in the authorization header. */
  token: string
  /** Aborts a request; its reason is thrown. */
  signal?: AbortSignal
}

const MAX_BYTES = 64 * 1024 ** 2
/** How long Cloudflare blocks after its limit is exceeded (registry notes 6.2). */
const LONG_WAIT_MS = 5 * MINUTE_MS
const MAX_WAIT_MS = 60 * MINUTE_MS

/** The envelope of every answer outside GraphQL. */
const Envelope = Type.Object({
  success: Type.Boolean(),
  result: Type.Unknown(),
  result_info: Type.Optional(Type.Unknown()),
})
const isEnvelope = Compile(Envelope)

/** Requests a REST path, for example `/zones`, and checks the result against `shape`. */
export async function ask<T>(
  api: CloudflareApi,
  path: string,
  shape: Shape<T>,
): Promise<{ result: T; result_info: unknown }> {
  const { status, headers, body } = await send(api, path, {})
  refuseStatus(status, headers)
  const answer = parse(body)
  if (!isEnvelope.Check(answer)) throw badAnswer('the answer is not of the documented shape')
  if (!answer.success) throw new CloudflareFailure('query_refused', 'Cloudflare refused the request.')
  const { result, result_info } = answer
  if (!shape.Check(result)) throw badAnswer('the answer is not of the documented shape')
  return { result, result_info }
}

const GraphqlAnswer = Compile(
  Type.Object({
    data: Type.Optional(Type.Unknown()),
    errors: Type.Optional(
      Type.Union([Type.Null(), Type.Array(Type.Object({ message: Type.String() }, { additionalProperties: true }))]),
    ),
  }),
)

/**
 * Sends a GraphQL query. An answer with errors has failed, even if it has data: a part of an hour does not count as the
 * hour.
 */
export async function query<T>(
  api: CloudflareApi,
  text: string,
  variables: Record<string, string>,
  shape: Shape<T>,
): Promise<T> {
  const { status, headers, body } = await send(api, '/graphql', {
    method: 'POST',
    body: JSON.stringify({ query: text, variables }),
  })
  const answer = status >= 500 || status === 429 ? null : parseOrNull(body)
  const errors = answer !== null && GraphqlAnswer.Check(answer) ? answer.errors : null
  if (errors != null && errors.length > 0) {
    const failure = failureOf(errors.map(({ message }) => message))
    // The messages with 401 and 403 are not all documented; the status decides.
    const isDenied = (status === 401 || status === 403) && failure.fault !== 'field_refused'
    throw isDenied ? notPermitted() : failure
  }
  refuseStatus(status, headers)
  if (answer === null || !GraphqlAnswer.Check(answer)) throw badAnswer('the answer is not JSON of a GraphQL answer')
  const { data } = answer
  if (!shape.Check(data)) throw badAnswer('the answer is not of the documented shape')
  return data
}

async function send(
  { base_url, outgoing, token, timeout_ms, signal }: CloudflareApi,
  path: string,
  { method = 'GET', body }: { method?: 'GET' | 'POST'; body?: string },
): Promise<SafeFetchAnswer> {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  try {
    return await safeFetch(outgoing, `${base_url}${path}`, {
      ...(body === undefined ? { headers } : { headers: { ...headers, 'content-type': 'application/json' }, body }),
      ...(signal === undefined ? {} : { signal }),
      method,
      timeout_ms,
      max_bytes: MAX_BYTES,
      redirects: 0,
    })
  } catch (error) {
    if (!(error instanceof OutgoingRefusal)) throw error
    if (error.code === 'too_long') throw new CloudflareFailure('too_much', FAULT_TEXTS.too_much)
    if (error.code === 'encoding' || error.code === 'headers_too_long') throw badAnswer('it is damaged')
    throw new CloudflareFailure('unreachable', `Cloudflare's API cannot be reached: ${error.message}`)
  }
}

function refuseStatus(status: number, headers: SafeFetchAnswer['headers']): void {
  if (status >= 200 && status < 300) return
  if (status === 429) {
    const retry_after_ms = retryAfter(headers)
    throw new CloudflareFailure('rate_limited', 'Cloudflare asks to wait (429).', { retry_after_ms })
  }
  if (status === 401 || status === 403) throw notPermitted()
  if (status >= 500) throw new CloudflareFailure('provider_error', `Cloudflare failed (${status}).`)
  throw new CloudflareFailure('query_refused', `Cloudflare refused the request (${status}).`)
}

/** Reads `Retry-After` in seconds, the form that Cloudflare documents; else the longest block. */
function retryAfter(headers: SafeFetchAnswer['headers']): number {
  const given = headers['retry-after']
  const seconds = typeof given === 'string' && /^\d{1,6}$/.test(given) ? Number(given) : null
  return seconds === null ? LONG_WAIT_MS : Math.min(MAX_WAIT_MS, seconds * 1_000)
}

/** The failure of documented messages; the first error decides. */
function failureOf(messages: readonly string[]): CloudflareFailure {
  const [message = ''] = messages
  const refused = REFUSED_FIELD.exec(message)
  if (refused !== null) {
    const field = (refused[1] as string).toLowerCase()
    return new CloudflareFailure('field_refused', `The zone's plan does not give the field ${field}.`, { field })
  }
  const [, fault] = MESSAGES.find(([pattern]) => pattern.test(message)) ?? [null, 'query_refused' as const]
  if (fault === 'rate_limited') {
    return new CloudflareFailure(fault, 'Cloudflare asks to wait.', { retry_after_ms: LONG_WAIT_MS })
  }
  return new CloudflareFailure(fault, FAULT_TEXTS[fault])
}

const REFUSED_FIELD = /(?:does not have access to the field|(?:unknown|cannot query) field) ["'“]?(\w{1,64})/i
const MESSAGES = [
  [/excessive resources|too large|too many nodes|reduced time period/i, 'too_much'],
  [/budget depleted|quota exceeded|limit reached|too many (?:queries|requests)/i, 'rate_limited'],
  [/does not have access|not authorized|unauthorized|authentication/i, 'not_permitted'],
  [/older than/i, 'too_old'],
  [/internal server error|unable to execute/i, 'provider_error'],
] as const
const FAULT_TEXTS = {
  not_permitted: 'The token may not read this; it needs Zone Analytics Read and Zone Read for the zone.',
  too_old: 'Cloudflare no longer answers for that time.',
  too_much: 'The query asks for more than one answer may hold.',
  provider_error: 'Cloudflare failed.',
  query_refused: 'Cloudflare refused the query.',
}

function notPermitted(): CloudflareFailure {
  return new CloudflareFailure('not_permitted', FAULT_TEXTS.not_permitted)
}

function badAnswer(what: string): CloudflareFailure {
  return new CloudflareFailure('bad_answer', `Cloudflare's answer cannot be read: ${what}.`)
}

function parse(body: Buffer): unknown {
  const read = parseOrNull(body)
  if (read === null) throw badAnswer('it is not JSON')
  return read
}

function parseOrNull(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return null
  }
}
