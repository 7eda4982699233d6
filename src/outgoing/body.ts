import { promisify } from 'node:util'
import { brotliDecompress, constants, gunzip, zstdDecompress } from 'node:zlib'
import { failed } from './refused.ts'

/** What a request says it can read. */
export const ENCODINGS = 'gzip, br, zstd'

/** Window that RFC 9659 allows on the web; a larger one takes memory before it yields a byte. */
const ZSTD_WINDOW = { params: { [constants.ZSTD_d_windowLogMax]: 23 } }

const DECODERS: Readonly<Record<string, (raw: Buffer, maxOutputLength: number) => Promise<Buffer>>> = {
  gzip: (raw, maxOutputLength) => promisify(gunzip)(raw, { maxOutputLength }),
  'x-gzip': (raw, maxOutputLength) => promisify(gunzip)(raw, { maxOutputLength }),
  br: (raw, maxOutputLength) => promisify(brotliDecompress)(raw, { maxOutputLength }),
  zstd: (raw, maxOutputLength) => promisify(zstdDecompress)(raw, { maxOutputLength, ...ZSTD_WINDOW }),
}

/** The bytes as they were sent, at most `max_bytes` of them. */
export async function readResponseBody(source: AsyncIterable<Buffer>, max_bytes: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of source) {
    size += part.length
    if (size > max_bytes) throw tooLong(max_bytes)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** The bytes behind a content encoding, at most `max_bytes` of them: a small body may unfold to a huge one. */
export async function decodeBody(raw: Buffer, encoding: string | undefined, max_bytes: number): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase() ?? 'identity'
  if (raw.length === 0 || name === 'identity' || name === '') return raw
  const decode = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined
  if (decode === undefined)
    throw failed('encoding', `The answer came in an encoding that was not asked for; asked: ${ENCODINGS}.`)
  try {
    return await decode(raw, max_bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLong(max_bytes)
    throw failed('encoding', `The answer is damaged: it is not ${name} as it says.`)
  }
}

const tooLong = (max_bytes: number) =>
  failed('too_long', `The answer is longer than the ${max_bytes.toLocaleString('en')} bytes that are read of it.`)
