/** The compressed forms of the dashboard's files, made when they are first asked for and kept. */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { BuiltFile } from './built-files.ts'

const asGzip = promisify(gzip)
const asBrotli = promisify(brotliCompress)

/** The highest is 7 % smaller, but takes 30 times as long: the first page after a start was empty for that time. */
const BROTLI_QUALITY = 8

/** The best first. */
const ENCODINGS: Readonly<Record<string, (content: Buffer) => Promise<Buffer>>> = {
  br: (content) =>
    asBrotli(content, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      },
    }),
  gzip: (content) => asGzip(content, { level: constants.Z_BEST_COMPRESSION }),
}

/** @param accepted the header Accept-Encoding. @returns null: the client takes neither brotli nor gzip. */
export async function compressFor(
  { content, compressed }: Pick<BuiltFile, 'content' | 'compressed'>,
  accepted: string,
): Promise<{ encoding: string; content: Buffer } | null> {
  const names = acceptedNames(accepted)
  const chosen = Object.entries(ENCODINGS).find(([name]) => names.includes(name))
  if (chosen === undefined) return null
  const [encoding, compress] = chosen
  let made = compressed.get(encoding)
  if (made === undefined) {
    made = compress(content)
    compressed.set(encoding, made)
  }
  return { encoding, content: await made }
}

/** Encodings by name, without those that are refused by the weight 0 (RFC 9110 12.5.3). */
function acceptedNames(accepted: string): string[] {
  return accepted.split(',').flatMap((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    return parameters.some((parameter) => /^q=0(?:\.0{0,3})?$/.test(parameter)) ? [] : [name]
  })
}
