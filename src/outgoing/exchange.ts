/** One request and its answer, over a connection to an address that was judged before. */
import { type IncomingHttpHeaders, type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { decodeBody, readResponseBody } from './body.ts'
import type { Destination } from './destination.ts'
import { failed } from './refused.ts'

export interface OutgoingRequest {
  method: string
  headers: Readonly<Record<string, string>>
  body?: string | Uint8Array | undefined
  /** Most bytes of a body; null: the body is not read. */
  max_bytes: number | null
}

export interface Exchanged {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

const MAX_HEADER_BYTES = 16_384
/** Of several addresses, one that keeps silent for two seconds is left for the next. */
const TRY_EACH = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 2_000 }

/** Asks a destination once; `signal` breaks it off at any point. */
export async function exchange(to: Destination, asked: OutgoingRequest, signal: AbortSignal): Promise<Exchanged> {
  try {
    const response = await send(to, asked, signal)
    const { statusCode: status = Number.NaN, headers } = response
    if (asked.max_bytes === null) {
      response.destroy()
      return { status, headers, body: Buffer.alloc(0) }
    }
    const raw = asked.method === 'HEAD' ? Buffer.alloc(0) : await readResponseBody(response, asked.max_bytes)
    return { status, headers, body: await decodeBody(raw, headers['content-encoding'], asked.max_bytes) }
  } catch (error) {
    throw described(to.url, error)
  }
}

function send({ url, addresses }: Destination, asked: OutgoingRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? overHttps : overHttp
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: asked.method,
        headers: asked.headers,
        // A connection of its own: one kept from an earlier request would have been judged for that one.
        agent: false,
        lookup: pinned(addresses),
        maxHeaderSize: MAX_HEADER_BYTES,
        ...TRY_EACH,
        signal,
      },
      resolve,
    )
    sent.once('error', reject)
    sent.end(asked.body)
  })
}

/** Answers with the judged addresses, IPv4 first: a second lookup of the name could say something else. */
function pinned(addresses: readonly string[]): LookupFunction {
  const known = addresses
    .map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    .sort((a, b) => a.family - b.family)
  return (_name, { all }, callback) => {
    if (all) callback(null, known)
    else callback(null, known[0]?.address ?? '', known[0]?.family)
  }
}

/** What the network did, as a refusal; everything else as it is. */
function described(url: URL, error: unknown): unknown {
  const code = String((error as NodeJS.ErrnoException | null)?.code)
  if (code === 'HPE_HEADER_OVERFLOW') {
    return failed('headers_too_long', `${url.host} sent headers of more than ${MAX_HEADER_BYTES} bytes.`)
  }
  if (NOT_CONNECTED.has(code))
    return failed('not_connected', `${url.host} takes no connection (${code}): check its address.`)
  if (TLS.test(code)) return failed('tls', `${url.host} has no valid TLS certificate or speaks no TLS (${code}).`)
  if (BROKEN.test(code))
    return failed('broken_off', `${url.host} broke off, or answered something else than HTTP (${code}).`)
  return error
}

const NOT_CONNECTED: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'ETIMEDOUT', 'EADDRNOTAVAIL'],
])
const TLS = /^(ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|EPROTO$|HOSTNAME_MISMATCH$|INVALID_CA$)/
const BROKEN = /^(ECONNRESET|ECONNABORTED|EPIPE|ERR_STREAM_PREMATURE_CLOSE|HPE_\w+)$/
