/** Answers to what Node's HTTP parser rejects: a 400 problem, as for any malformed URL (rules 1). */
import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { quoted } from '#foreign-text.ts'
import { writeProblem } from './problems.ts'

/** For `clientErrorHandler`: an oversized header, a method or header that does not parse, a request that never ends. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (socket.destroyed || !socket.writable || error.code === 'ECONNRESET') return
  if (isUnused(error, socket)) return void socket.destroy()
  refuse(socket, detailOf(error, socket))
}

/**
 * Whether time ran out on a connection that carried nothing yet. Browsers open such ones ahead of need. They send their
 * request again when one is closed, but an answer they take for that of the request they have just sent.
 */
const isUnused = (error: NodeJS.ErrnoException, socket: Duplex): boolean =>
  error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket instanceof Socket && socket.bytesRead === 0

/** What Node's parser adds to its errors: the bytes that it was given last, and how many of them it has read. */
interface ParserError extends NodeJS.ErrnoException {
  rawPacket?: Buffer
  bytesParsed?: number
}

function detailOf(error: ParserError, socket: Duplex): string {
  if (error.code !== 'HPE_INVALID_METHOD') return DETAILS.get(error.code ?? '') ?? 'The request is not valid HTTP/1.1.'
  const method = methodOf(error, socket)
  return method === null
    ? 'The request does not begin with an HTTP method. Begin it with one in capitals, such as GET or POST. If it was sent over https, send it over http.'
    : `${quoted(method)} is not a known HTTP method. Use one that the path takes, in capitals, such as GET or POST: /docs lists the paths and their methods.`
}

/**
 * The method that the parser refused, at its first wrong letter. Null where the bytes that came last do not hold it
 * whole, and where they do not begin a request.
 */
function methodOf({ rawPacket, bytesParsed = 0 }: ParserError, socket: Duplex): string | null {
  if (rawPacket === undefined) return null
  const line_end = rawPacket.lastIndexOf('\n', Math.max(0, bytesParsed - 1))
  // Else the first letters may have come before.
  const is_whole = line_end !== -1 || (socket instanceof Socket && socket.bytesRead === rawPacket.length)
  const line = rawPacket.toString('latin1', line_end + 1, line_end + 1 + MAX_LINE_START)
  return is_whole ? (METHOD.exec(line)?.[1] ?? null) : null
}

const MAX_LINE_START = 64
/** A token of HTTP (RFC 9110, 5.6.2) before the target of a request. */
const METHOD = /^([\w!#$%&'*+.^`|~-]{1,40}) (?:\/|\*|https?:)/

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
