/** The only way to send requests to other servers (decisions 4). */
import type { IncomingHttpHeaders } from 'node:http'
import { version } from '#version.ts'
import { ENCODINGS } from './body.ts'
import type { TlsObservation } from './connect.ts'
import { findDestination, type SafeFetchContext, type Scheme } from './destination.ts'
import { type Exchanged, exchange, type ResponseHead } from './exchange.ts'
import { failed } from './refused.ts'

export type { SafeFetchContext } from './destination.ts'

export interface SafeFetchOptions {
  /** GET by default. */
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /**
   * Headers, names in lower case. A redirect to another origin gets only `accept`, because the others may be secret. A
   * function returns the headers for each URL of the redirects.
   */
  headers?: Readonly<Record<string, string>> | ((url: URL) => Readonly<Record<string, string>>)
  body?: string | Uint8Array
  /** The most bytes of a body, as sent and as decoded. */
  max_bytes: number
  /** Whether a longer body is refused (the default) or truncated. */
  on_too_long?: 'refuse' | 'truncate'
  /** Whether the body of a URL of the redirects is read; by default every body. Others are empty. */
  readsBody?: (url: URL) => boolean
  /** The time limit for everything, including name resolution and redirects. */
  timeout_ms: number
  /** The most redirects of a GET or HEAD, 5 by default; with 0, and for other methods, the redirect is the answer. */
  redirects?: number
  /** Allowed schemes, also of redirects; by default both. */
  schemes?: readonly Scheme[]
  /** Aborts the request; its reason is thrown. */
  signal?: AbortSignal
  /** Called for each step, also before a failure. */
  observer?: FetchObserver
}

export interface FetchObserver {
  /** Called with the addresses of each host of the redirects, all of which are allowed. */
  resolved?: (url: URL, addresses: readonly string[]) => void
  /** Called after a TLS handshake with a host of the redirects. */
  secured?: (url: URL, tls: TlsObservation) => void
  /** Called after the headers of each URL of the redirects. */
  answered?: (hop: FetchedHop) => void
}

/** The answer of one URL of the redirects. */
export interface FetchedHop extends ResponseHead {
  url: URL
  /** From the beginning of this hop, including name resolution, to the end of the headers. */
  ms: number
}

export interface SafeFetchAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  /** The body was truncated at its limit. */
  is_truncated: boolean
  /** The URL that answered, after redirects. */
  url: string
}

const MAX_REDIRECTS = 5
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
export const OWN_AGENT = `Spoor/${version}`
const OWN_HEADERS = { accept: '*/*', 'accept-encoding': ENCODINGS, 'user-agent': OWN_AGENT }

/**
 * Sends a request to another server. Each URL of the redirects is checked, resolved once, and connected to at a checked
 * address. Every status is an answer. Nothing is kept between requests, and no proxy of the environment is used.
 * @throws OutgoingRefusal invalid_input (the destination is refused) or unreachable (no usable answer), each with a
 * stable `code`.
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
      throw failed('timeout', `There was no complete answer within ${timeout_ms / 1_000} s: try again later.`)
    throw error
  }
}

async function follow(
  ctx: SafeFetchContext,
  first: string,
  options: SafeFetchOptions,
  signal: AbortSignal,
): Promise<SafeFetchAnswer> {
  const { method = 'GET', redirects = MAX_REDIRECTS } = options
  const follows = redirects > 0 && (method === 'GET' || method === 'HEAD')
  const headersOf = headersByUrl(options.headers ?? {})
  let next = first
  for (let followed = 0; ; followed++) {
    const { url, answer } = await askOnce(ctx, next, { ...options, method, headers: headersOf }, signal)
    const { location } = answer.headers
    if (!follows || location === undefined || !REDIRECTS.has(answer.status)) return finish(answer, url, options)
    if (followed === redirects) {
      throw failed('too_many_redirects', `${url.host} redirects more than ${redirects} times: give the final URL.`)
    }
    next = resolveLocation(location, url)
  }
}

async function askOnce(
  ctx: SafeFetchContext,
  text: string,
  options: SafeFetchOptions & { method: string; headers: (url: URL) => Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<{ url: URL; answer: Exchanged }> {
  const { method, headers, body, max_bytes, readsBody, schemes = ['http', 'https'], observer } = options
  const started = performance.now()
  const to = await findDestination(ctx, text, schemes, signal)
  const { url } = to
  observer?.resolved?.(url, to.addresses)
  const asked = {
    method,
    headers: { ...OWN_HEADERS, ...headers(url) },
    body,
    max_bytes: readsBody?.(url) === false ? null : max_bytes,
  }
  const answer = await (ctx.exchange ?? exchange)(to, asked, signal, {
    secured: (tls) => observer?.secured?.(url, tls),
    answered: (head) => observer?.answered?.({ ...head, url, ms: Math.round(performance.now() - started) }),
  })
  return { url, answer }
}

/** The headers for each URL of the redirects: the first origin gets all of a record, others only harmless ones. */
function headersByUrl(headers: NonNullable<SafeFetchOptions['headers']>) {
  if (typeof headers === 'function') return headers
  let origin: string | null = null
  let sent = headers
  return (url: URL) => {
    if (origin !== null && url.origin !== origin) sent = Object.fromEntries(Object.entries(sent).filter(isHarmless))
    origin = url.origin
    return sent
  }
}

const isHarmless = ([name]: [string, string]) => name === 'accept'

function finish(answer: Exchanged, url: URL, { max_bytes, on_too_long = 'refuse' }: SafeFetchOptions): SafeFetchAnswer {
  if (answer.is_truncated && on_too_long === 'refuse')
    throw failed(
      'too_long',
      `The answer is longer than the ${max_bytes.toLocaleString('en')} bytes that are read of it.`,
    )
  const { status, headers, body, is_truncated } = answer
  return { status, headers, body, is_truncated, url: url.href }
}

/** A `Location` in ASCII. Node reads headers as Latin-1, but an unencoded path is UTF-8, as in browsers. */
export const encodedLocation = (written: string): string =>
  written.replace(BEYOND_ASCII, (octet) => `%${octet.charCodeAt(0).toString(16).toUpperCase()}`)

function resolveLocation(written: string, base: URL): string {
  const location = encodedLocation(written)
  if (URL.canParse(location, base.href)) return new URL(location, base).href
  throw failed('malformed_redirect', `${base.host} redirects to something that is not a URL.`)
}

const BEYOND_ASCII = /[\x80-\xff]/g
