/** Answers to what Node's HTTP parser rejects: a 400 problem, as for any malformed URL (rules 1). */
import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { writeProblem } from './problems.ts'

/** For `clientErrorHandler`: an oversized header, a method or header that does not parse, a request that never ends. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (socket.destroyed || !socket.writable || error.code === 'ECONNRESET') return
  if (isUnused(error, socket)) return void socket.destroy()
  refuse(socket, DETAILS.get(error.code ?? '') ?? 'The request is not valid HTTP/1.1.')
}

/**
 * Whether time ran out on a connection that carried nothing yet. Browsers open such ones ahead of need. They send their
 * request again when one is closed, but an answer they take for that of the request they have just sent.
 */
const isUnused = (error: NodeJS.ErrnoException, socket: Duplex): boolean =>
  error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket instanceof Socket && socket.bytesRead === 0

/** TRICKY: Node answers a strange `Expect` with 417 and drops CONNECT in silence (test: "no other status"). */
export function closeNodesOwnAnswers(server: Server): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('connect', (_request, socket) => refuse(socket, 'CONNECT is not supported: this is not a proxy.'))
}

const DETAILS: ReadonlyMap<string, string> = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    'The URL and the headers are over 128 KiB together, or there are more than 1,000 headers; send fewer or shorter ones.',
  ],
  ['HPE_INVALID_METHOD', 'The request method is unknown to HTTP.'],
  ['HPE_INVALID_URL', 'The URL holds characters that must be percent-encoded.'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'The request did not arrive in time.'],
])

function refuse(socket: Duplex, detail: string): void {
  const { status, headers, body } = writeProblem('malformed_request', detail)
  const lines = Object.entries({
    ...headers,
    'x-request-id': randomUUID(),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} Bad Request\r\n${lines.join('')}\r\n${body}`, () => socket.destroy())
}
