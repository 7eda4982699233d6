/** One request and its answer, over a connection to an address that was judged before. */

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
  /** Most bytes of a body; null: the body is not read. */
  max_bytes: number | null
}

/** The beginning of an answer. */
export interface ResponseHead {
  status: number
  headers: IncomingHttpHeaders
  /** Each line of a header by itself. */
  header_lines: NodeJS.Dict<string[]>
}

export interface ExchangeObserver {
  /** A TLS handshake was tried. */
  secured(tls: TlsObservation): void
  /** The headers of the answer are there. */
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

/** Asks a destination once; `signal` breaks it off at any point. */
export async function exchange(
  to: Destination,
  outgoing: OutgoingRequest,
  signal: AbortSignal,
  observer: ExchangeObserver,
): Promise<Exchanged> {
  try {
    // A connection of its own: one kept from an earlier request would have been judged for that one.
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
    // TRICKY: Node ends a body without a declared length wherever its connection ends, broken off or not.
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
        // TRICKY: without an agent Node would name the port 80 here, over https as well.
        headers: { host: url.host, ...outgoing.headers },
        createConnection: () => socket,
        maxHeaderSize: MAX_HEADER_BYTES,
        signal,
      },
      resolve,
    )
    sent.once('error', reject)
    // Node hands over the socket of a 101, and then neither answers nor fails nor heeds the signal.
    sent.once('upgrade', (_, taken) => {
      taken.destroy()
      reject(failed('broken_off', `${url.host} changed to another protocol, which was not asked for (101).`))
    })
    sent.once('close', () => reject(failed('broken_off', `${url.host} closed the connection without an answer.`)))
    sent.end(outgoing.body)
  })
}

/** What the network did, as a refusal; everything else as it is. */
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
  // Of firewalls and policies of this machine, and of a family of addresses that it does not speak.
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
