/** One request and its answer, over a connection to a checked address. */

import { type IncomingHttpHeaders, type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import type { Socket } from 'node:net'
import { formatCount } from '#quantities.ts'
import { type ReadBody, readResponseBody } from './body.ts'
import { connectTo, type TlsObservation } from './connect.ts'
import type { Destination } from './destination.ts'
import { failed } from './refused.ts'

export interface OutgoingRequest {
  method: string
  headers: Readonly<Record<string, string>>
  body?: string | Uint8Array | undefined
  /** The most bytes of a body; null: the body is not read. */
  max_bytes: number | null
}

/** The status and headers of an answer. */
export interface ResponseHead {
  status: number
  headers: IncomingHttpHeaders
  /** The lines of each header. */
  header_lines: NodeJS.Dict<string[]>
}

export interface ExchangeObserver {
  /** Called after a TLS handshake. */
  secured(tls: TlsObservation): void
  /** Called after the headers of the answer. */
  answered(head: ResponseHead): void
}

export interface Exchanged extends ResponseHead, ReadBody {}

const MAX_HEADER_BYTES = 16_384

export type Exchange = (
  to: Destination,
  outgoing: OutgoingRequest,
  signal: AbortSignal,
  observer: ExchangeObserver,
) => Promise<Exchanged>

/** Sends one request to a destination; `signal` aborts it at any point. */
export async function exchange(
  to: Destination,
  outgoing: OutgoingRequest,
  signal: AbortSignal,
  observer: ExchangeObserver,
): Promise<Exchanged> {
  try {
    // A new connection, because one of an earlier request was checked for that request.
    const socket = await connectTo(to, signal, observer.secured)
    let broken: unknown = null
    socket.once('error', (error) => {
      broken = error
    })
    const response = await send(to, outgoing, socket, signal)
    const head = {
      status: response.statusCode ?? Number.NaN,
      headers: response.headers,
      header_lines: response.headersDistinct,
    }
    observer.answered(head)
    if (outgoing.method === 'HEAD' || outgoing.max_bytes === null) {
      response.destroy()
      return { ...head, body: Buffer.alloc(0), is_truncated: false }
    }
    const read = await readResponseBody(response, outgoing.max_bytes)
    // TRICKY: without a declared length Node ends a body where its connection ends, also after an error.
    if (!read.is_truncated) {
      signal.throwIfAborted()
      if (broken !== null) throw broken
    }
    return { ...head, ...read }
  } catch (error) {
    throw describeFailure(to.url, error)
  }
}

function send(
  { url }: Destination,
  outgoing: OutgoingRequest,
  socket: Socket,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? overHttps : overHttp
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: outgoing.method,
        // TRICKY: without an agent Node would add port 80 here, also over https.
        headers: { host: url.host, ...outgoing.headers },
        createConnection: () => socket,
        maxHeaderSize: MAX_HEADER_BYTES,
        signal,
      },
      resolve,
    )
    sent.once('error', reject)
    // After a 101 Node passes on the socket, and then neither answers nor fails nor obeys the signal.
    sent.once('upgrade', (_, taken) => {
      taken.destroy()
      reject(failed('broken_off', `${url.host} changed to another protocol, which was not asked for (101).`))
    })
    sent.once('close', () => reject(failed('broken_off', `${url.host} closed the connection without an answer.`)))
    sent.end(outgoing.body)
  })
}

/** Turns a failure of the network into a refusal; other errors stay as they are. */
export function describeFailure(url: URL, error: unknown): unknown {
  const code = String((error as NodeJS.ErrnoException | null)?.code)
  if (code === 'HPE_HEADER_OVERFLOW') {
    return failed(
      'headers_too_long',
      `${url.host} sent headers of more than ${formatCount(MAX_HEADER_BYTES)} bytes.`,
      code,
    )
  }
  if (NOT_CONNECTED.has(code))
    return failed('not_connected', `${url.host} accepts no connection (${code}): check its address.`, code)
  if (TLS.test(code)) return failed('tls', `${url.host} has no valid TLS certificate or speaks no TLS (${code}).`, code)
  if (BROKEN.test(code))
    return failed(
      'broken_off',
      `${url.host} closed the connection too early, or did not answer in HTTP (${code}).`,
      code,
    )
  return error
}

const NOT_CONNECTED: ReadonlySet<string> = new Set([
  // Firewalls and policies of this machine, and families of addresses that it lacks.
  'EPERM',
  'EACCES',
  'EAFNOSUPPORT',
  'EINVAL',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'ETIMEDOUT',
  'EADDRNOTAVAIL',
])
const TLS = /^(ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|EPROTO$|HOSTNAME_MISMATCH$|INVALID_CA$)/
const BROKEN = /^(ECONNRESET|ECONNABORTED|EPIPE|ERR_STREAM_PREMATURE_CLOSE|HPE_\w+)$/
