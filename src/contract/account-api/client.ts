/** A typed client of surface B for browsers and programs. It lets unknown fields pass (spec 9.2). */
import type Type from 'typebox'
import type { BodyOf, HttpOperation, OutputOf } from '../operation.ts'
import type { AccountApiError } from './errors.ts'
import { type AccountOperation, accountApiOperations } from './index.ts'

/** What a caller passes: parameters may be left out, the service fills in their defaults. */
type CallOf<O extends HttpOperation> = Type.Static<O['params']> &
  Partial<Type.Static<O['query']>> &
  BodyOf<O> &
  (O extends { readonly idempotent: true } ? { idempotency_key?: string } : unknown)

type Call<O extends HttpOperation> = Record<never, never> extends CallOf<O> ? [call?: CallOf<O>] : [call: CallOf<O>]

export type AccountClient = { [O in AccountOperation as O['id']]: (...call: Call<O>) => Promise<OutputOf<O>> }

export interface AccountClientOptions {
  /** Origin of the service, with or without a trailing slash. */
  base_url: string
  /** An account token; it is sent to `base_url` and nowhere else. */
  token: string
  fetch?: typeof globalThis.fetch
}

/** An answer that is not a success. Programs look at the status and the code (spec 7.2). */
export class AccountApiFailure extends Error {
  readonly status: number
  /** Null when something else than the service answered. */
  readonly code: AccountApiError['code'] | null
  readonly errors: NonNullable<AccountApiError['errors']>
  /** Seconds to wait before trying again; null where the answer does not say. */
  readonly retry_after: number | null
  readonly request_id: string | null
  constructor(response: Response, body: AccountApiError | null) {
    super(body === null ? `unexpected answer with status ${response.status}` : body.message)
    this.name = 'AccountApiFailure'
    this.status = response.status
    this.code = body === null ? null : body.code
    this.errors = body?.errors ?? []
    const seconds = response.headers.get('retry-after')
    this.retry_after = seconds === null ? null : Number(seconds)
    this.request_id = response.headers.get('x-request-id')
  }
}

/** One method for each operation; throws `AccountApiFailure` for every answer that is not a success. */
export function createAccountClient(options: AccountClientOptions): AccountClient {
  const methods = accountApiOperations.map((operation) => [
    operation.id,
    (call: Readonly<Record<string, unknown>> = {}) => request(options, operation, call),
  ])
  return Object.fromEntries(methods) as AccountClient
}

async function request(
  { base_url, token, fetch: send = globalThis.fetch }: AccountClientOptions,
  operation: HttpOperation,
  call: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const { idempotency_key: key } = call
  const body = operation.body === undefined ? null : JSON.stringify(pick(call, Object.keys(operation.body.properties)))
  const response = await send(`${base_url.replace(/\/+$/, '')}${targetOf(operation, call)}`, {
    method: operation.method,
    redirect: 'error',
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...(typeof key === 'string' ? { 'idempotency-key': key } : {}),
    },
    ...(body === null ? {} : { body }),
  })
  const text = await response.text()
  if (response.status !== (operation.success ?? 200)) throw new AccountApiFailure(response, errorOf(text))
  return JSON.parse(text)
}

function targetOf(operation: HttpOperation, call: Readonly<Record<string, unknown>>): string {
  const path = Object.keys(operation.params.properties).reduce(
    (filled, name) => filled.replace(`{${name}}`, encodeURIComponent(String(call[name]))),
    operation.path,
  )
  const given = Object.entries(pick(call, Object.keys(operation.query.properties)))
  const query = given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return query.length === 0 ? path : `${path}?${query.join('&')}`
}

const pick = (call: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (call[name] === undefined ? [] : [[name, call[name]]])))

/** Something between client and service (a proxy, say) may answer without an error body. */
function errorOf(text: string): AccountApiError | null {
  try {
    const body: unknown = JSON.parse(text)
    const is_ours = typeof body === 'object' && body !== null && 'code' in body && 'message' in body
    return is_ours ? (body as AccountApiError) : null
  } catch {
    return null
  }
}
