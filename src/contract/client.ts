/** A typed client of surface A for browsers and programs. It lets unknown fields pass (spec 9.2). */
import type Type from 'typebox'
import { addressesSite, type BodyOf, type HttpOperation, type OutputOf } from './operation.ts'
import type { Problem } from './problem.ts'
import { operations, type SiteOperation } from './site-api/index.ts'

/** What a caller of the client passes: query parameters may be left out, the service fills in their defaults. */
type CallOf<O extends HttpOperation> = (O['path'] extends `${string}{site}${string}` ? { site: string } : unknown) &
  Type.Static<O['params']> &
  Partial<Type.Static<O['query']>> &
  BodyOf<O>

/** What an operation cannot do without must be passed; an operation that needs nothing is called with nothing. */
type Call<O extends HttpOperation> = Record<never, never> extends CallOf<O> ? [call?: CallOf<O>] : [call: CallOf<O>]

export type Client = { [O in SiteOperation as O['id']]: (...call: Call<O>) => Promise<OutputOf<O>> }

export interface ClientOptions {
  /** Origin of the service, with or without a trailing slash. */
  base_url: string
  /** A site key; it is sent to `base_url` and nowhere else. */
  key: string
  fetch?: typeof globalThis.fetch
}

/** An answer that is not 200. `problem` is what the service said, or a stand-in when something else answered. */
export class ProblemError extends Error {
  readonly problem: Problem
  readonly request_id: string | null
  constructor(problem: Problem, request_id: string | null) {
    super(problem.detail === undefined ? problem.title : `${problem.title}: ${problem.detail}`)
    this.name = 'ProblemError'
    this.problem = problem
    this.request_id = request_id
  }
}

/** One method per operation, always in JSON; throws `ProblemError` for every answer that is not 200. */
export function createClient(options: ClientOptions): Client {
  const send = options.fetch ?? globalThis.fetch
  const methods = operations.map((operation) => [
    operation.id,
    (call: Readonly<Record<string, unknown>> = {}) => request(options, send, operation, call),
  ])
  return Object.fromEntries(methods) as Client
}

async function request(
  options: ClientOptions,
  send: typeof globalThis.fetch,
  operation: HttpOperation,
  call: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const body = bodyOf(operation, call)
  const response = await send(address(options.base_url, operation, call), {
    method: operation.method,
    redirect: 'error',
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${options.key}`,
      ...(body === null ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === null ? {} : { body }),
  })
  const text = await response.text()
  if (response.status !== 200) throw new ProblemError(problemOf(response, text), response.headers.get('x-request-id'))
  return JSON.parse(text)
}

function address(base_url: string, operation: HttpOperation, call: Readonly<Record<string, unknown>>): string {
  const names = [...(addressesSite(operation) ? ['site'] : []), ...Object.keys(operation.params.properties)]
  let path = operation.path
  for (const name of names) path = path.replace(`{${name}}`, encodeURIComponent(String(call[name])))
  const query = Object.keys(operation.query.properties).flatMap((name) => {
    const value = call[name]
    return value === undefined ? [] : [`${name}=${encodeURIComponent(String(value))}`]
  })
  return `${base_url.replace(/\/+$/, '')}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`
}

function bodyOf(operation: HttpOperation, call: Readonly<Record<string, unknown>>): string | null {
  if (operation.body === undefined) return null
  return JSON.stringify(Object.fromEntries(Object.keys(operation.body.properties).map((name) => [name, call[name]])))
}

/** Something between client and service (a proxy, say) may answer without a problem body. */
function problemOf(response: Response, text: string): Problem {
  try {
    const body: unknown = JSON.parse(text)
    if (isProblem(body)) return body
  } catch {
    // Not JSON: the stand-in below says so.
  }
  return {
    title: 'unexpected answer',
    status: response.status,
    detail: 'The answer was not a problem of this service.',
  }
}

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' &&
  body !== null &&
  'title' in body &&
  typeof body.title === 'string' &&
  'status' in body &&
  typeof body.status === 'number'
