/** The one way in which the service asks other servers (decisions 4). */
import type { IncomingHttpHeaders } from 'node:http'
import { version } from '#version.ts'
import { ENCODINGS } from './body.ts'
import { findDestination, type SafeFetchContext, type Scheme } from './destination.ts'
import { exchange } from './exchange.ts'
import { failed } from './refused.ts'

export type { SafeFetchContext } from './destination.ts'

export interface SafeFetchOptions {
  /** GET by default. */
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Names in lower case. A redirect to another origin gets none of them but `accept`: the rest may be secret. */
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array
  /** Most bytes of a body, as sent and as decoded. */
  max_bytes: number
  /** Of which URLs on the way a body is read; of all by default. One that is not read is empty. */
  readsBody?: (url: URL) => boolean
  /** For all of it, names and redirects included. */
  timeout_ms: number
  /** How many redirects a GET or HEAD follows, 5 by default; 0 and every other method hand back the redirect itself. */
  redirects?: number
  /** Both by default; a redirect is held to it as well. */
  schemes?: readonly Scheme[]
  /** Breaks it off, and is then thrown. */
  signal?: AbortSignal
}

export interface SafeFetchAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  /** That answered, after redirects. */
  url: string
}

const MAX_REDIRECTS = 5
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const OWN_HEADERS = { accept: '*/*', 'accept-encoding': ENCODINGS, 'user-agent': `Spoor/${version}` }

/**
 * Asks a server outside. Each URL on the way is judged anew, resolved once, and connected to at an address that was
 * judged. Any status is an answer. Nothing is kept between requests, and no proxy of the environment is used.
 * @throws OutgoingRefusal invalid_input (refused destination) or unreachable (no usable answer), with a stable `code`.
 */
export async function safeFetch(
  ctx: SafeFetchContext,
  url: string,
  options: SafeFetchOptions,
): Promise<SafeFetchAnswer> {
  const { timeout_ms, signal } = options
  const deadline = AbortSignal.timeout(timeout_ms)
  try {
    return await follow(ctx, url, options, signal === undefined ? deadline : AbortSignal.any([signal, deadline]))
  } catch (error) {
    signal?.throwIfAborted()
    if (deadline.aborted)
      throw failed('timeout', `There was no whole answer within ${timeout_ms / 1_000} s: try again later.`)
    throw error
  }
}

async function follow(
  ctx: SafeFetchContext,
  first: string,
  {
    method = 'GET',
    headers = {},
    body,
    max_bytes,
    readsBody = () => true,
    redirects = MAX_REDIRECTS,
    schemes = ['http', 'https'],
  }: SafeFetchOptions,
  signal: AbortSignal,
): Promise<SafeFetchAnswer> {
  const follows = redirects > 0 && (method === 'GET' || method === 'HEAD')
  let sent = headers
  let next = first
  for (let followed = 0; ; followed++) {
    const to = await findDestination(ctx, next, schemes, signal)
    const asked = {
      method,
      headers: { ...OWN_HEADERS, ...sent },
      body,
      max_bytes: readsBody(to.url) ? max_bytes : null,
    }
    const answer = await exchange(to, asked, signal)
    const { location } = answer.headers
    if (!follows || location === undefined || !REDIRECTS.has(answer.status)) return { ...answer, url: to.url.href }
    if (followed === redirects) {
      throw failed('too_many_redirects', `${to.url.host} redirects more than ${redirects} times: give the final URL.`)
    }
    next = resolveLocation(location, to.url)
    if (new URL(next).origin !== to.url.origin) sent = Object.fromEntries(Object.entries(sent).filter(isHarmless))
  }
}

const isHarmless = ([name]: [string, string]) => name === 'accept'

function resolveLocation(location: string, base: URL): string {
  if (URL.canParse(location, base.href)) return new URL(location, base).href
  throw failed('malformed_redirect', `${base.host} redirects to something that is not a URL.`)
}
