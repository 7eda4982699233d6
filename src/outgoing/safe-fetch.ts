/** The one way in which the service asks other servers (decisions 4). */
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
   * Names in lower case. A redirect to another origin gets none of them but `accept`: the rest may be secret. A
   * function says for each URL on the way which ones it gets.
   */
  headers?: Readonly<Record<string, string>> | ((url: URL) => Readonly<Record<string, string>>)
  body?: string | Uint8Array
  /** Most bytes of a body, as sent and as decoded. */
  max_bytes: number
  /** A longer body is refused, or read up to its limit; refused by default. */
  on_too_long?: 'refuse' | 'truncate'
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
  /** Sees each step, those before a failure included. */
  observer?: FetchObserver
}

export interface FetchObserver {
  /** A host on the way has these addresses, and all of them may be asked. */
  resolved?: (url: URL, addresses: readonly string[]) => void
  /** A TLS handshake with a host on the way was tried. */
  secured?: (url: URL, tls: TlsObservation) => void
  /** A URL on the way answered; its body is not read yet. */
  answered?: (hop: FetchedHop) => void
}

/** One answer on the way. */
export interface FetchedHop extends ResponseHead {
  url: URL
  /** From the beginning of this hop, its name included, to the end of the headers. */
  ms: number
}

export interface SafeFetchAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  /** The body goes on; only where it is read up to its limit. */
  is_truncated: boolean
  /** That answered, after redirects. */
  url: string
}

const MAX_REDIRECTS = 5
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
export const OWN_AGENT = `Spoor/${version}`
const OWN_HEADERS = { accept: '*/*', 'accept-encoding': ENCODINGS, 'user-agent': OWN_AGENT }

/**
 * Asks a server outside. Each URL on the way is judged anew, resolved once, and connected to at an address that was
 * judged. Any status is an answer. Nothing is kept between requests, and no proxy of the environment is used.
 * @throws OutgoingRefusal invalid_input (where it leads is refused) or unreachable (no usable answer), each with a
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

/** Headers for each URL on the way; of a record the first origin gets all, others what is harmless. */
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

/** Node reads headers as Latin-1; a server that sends a path unencoded sends UTF-8, which browsers pass on as it is. */
function resolveLocation(written: string, base: URL): string {
  const location = written.replace(BEYOND_ASCII, (octet) => `%${octet.charCodeAt(0).toString(16).toUpperCase()}`)
  if (URL.canParse(location, base.href)) return new URL(location, base).href
  throw failed('malformed_redirect', `${base.host} redirects to something that is not a URL.`)
}

const BEYOND_ASCII = /[\x80-\xff]/g
