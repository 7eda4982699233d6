/** The body of a request as a log that is imported. */
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'

const BUFFERED_BYTES = 1 << 20

/** The sender of the log went away before its end. */
export class SenderGone extends Error {}

/**
 * The request's body as a stream that may be left or broken off without losing the answer. TRICKY: leaving the request
 * itself half read would close its connection ("a refusal reaches a sender that is still sending").
 */
export function bodyOf(request: IncomingMessage): PassThrough {
  const body = new PassThrough({ highWaterMark: BUFFERED_BYTES })
  request.once('error', () => body.destroy(new SenderGone()))
  body.once('error', () => {})
  body.once('close', () => request.resume())
  return request.pipe(body)
}

/** Why an import ends with the service. */
export const STOPPING =
  'the server is stopping and nothing of this file was stored: repeat the import; nothing is counted twice'
