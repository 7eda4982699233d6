/** Decodes bodies of responses while they arrive, so that a decompression bomb costs no more than the limit. */
import type { IncomingMessage } from 'node:http'
import { PassThrough, pipeline, type Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib'
import { failed } from './refused.ts'

/** The encodings that requests accept. */
export const ENCODINGS = 'gzip, br, zstd'

/** The window that RFC 9659 allows on the web; a larger one takes memory before it returns a byte. */
const ZSTD_WINDOW = { params: { [constants.ZSTD_d_windowLogMax]: 23 } }

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
  zstd: () => createZstdDecompress(ZSTD_WINDOW),
  identity: () => new PassThrough(),
  '': () => new PassThrough(),
}

/** A decoded body, or its beginning. */
export interface ReadBody {
  body: Buffer
  /** The body, as sent or as decoded, exceeds the limit. */
  is_truncated: boolean
}

/**
 * Reads a body to its end, or up to `max_bytes` as sent and as decoded; then its connection is closed.
 * @throws OutgoingRefusal encoding; errors of the connection.
 */
export async function readResponseBody(response: IncomingMessage, max_bytes: number): Promise<ReadBody> {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? ''
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined
  if (decoder === undefined) {
    response.destroy()
    throw failed('encoding', `The answer has an encoding that was not requested; requested: ${ENCODINGS}.`)
  }
  const parts: Buffer[] = []
  let sent = 0
  let size = 0
  response.on('data', (part: Buffer) => {
    sent += part.length
  })
  let broken: unknown = null
  response.once('error', (error) => {
    broken = error
  })
  // The decoder fails with its own error or with that of the response, which need different messages.
  const decoded = pipeline(response, decoder(), () => {})
  try {
    for await (const part of decoded as AsyncIterable<Buffer>) {
      parts.push(part)
      size += part.length
      if (size > max_bytes || sent > max_bytes) return { body: joinUpTo(parts, max_bytes), is_truncated: true }
    }
  } catch (error) {
    if (sent > max_bytes) return { body: joinUpTo(parts, max_bytes), is_truncated: true }
    if (broken !== null || !isDecoderError(error)) throw broken ?? error
    // Redirects and answers without a body often name an encoding, too.
    if (sent === 0) return { body: Buffer.alloc(0), is_truncated: false }
    throw failed('encoding', `The answer is damaged: its Content-Encoding is ${encoding}, but it cannot be decoded.`)
  } finally {
    response.destroy()
  }
  return { body: Buffer.concat(parts), is_truncated: false }
}

const joinUpTo = (parts: readonly Buffer[], max_bytes: number) => Buffer.concat(parts).subarray(0, max_bytes)

const isDecoderError = (error: unknown) =>
  /^(Z_|ERR__|ERR_BROTLI|ZSTD_|ERR_TRAILING)/.test(String((error as NodeJS.ErrnoException).code))
