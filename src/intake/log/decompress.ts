/** Decompresses a file: gzip and zstd are recognized by their content, never by their name. */
import { Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { Refusal } from '#refusal.ts'

export interface DecompressOptions {
  /** The name of the file in refusals. */
  name: string
  /** What to do about a damaged file, if not to copy it again. */
  repair?: string
  /** What to send instead of an unreadable file, if not an access log. */
  takes?: string
  /** Called with the size of each chunk that was read from the source, before decompression, for progress. */
  on_read?: (bytes: number) => void
  limits?: UnpackLimits
}

/** How large a compressed file may become; a larger one counts as a decompression bomb. */
export interface UnpackLimits {
  max_bytes: number
  /** Above this size it may be at most `max_times` as large as its compressed bytes. */
  free_bytes: number
  max_times: number
}

const GIB = 1_073_741_824
/** Logs become 5 to 50 times as large; gzip reaches at most 1,032 times, and only with constant bytes. */
const UNPACK_LIMITS: UnpackLimits = { max_bytes: 200 * GIB, free_bytes: GIB, max_times: 1_000 }

/**
 * Plain bytes of a gzip (any number of members), zstd or plain source, streamed with back-pressure. A chunk of the
 * source or of the result is valid until the next one is requested.
 * @throws Refusal not_readable: a truncated or corrupt stream, one that becomes too large, another archive, or binary
 * content.
 */
export async function* decompress(source: AsyncIterable<Buffer>, options: DecompressOptions): AsyncGenerator<Buffer> {
  const input = await peek(counted(source, options))
  const kind = kindOf(input.head)
  refuseForeign(kind, options)
  const decoded = kind === 'gzip' || kind === 'zstd' ? decode(input.chunks, kind, options) : input.chunks
  const plain = await peek(decoded)
  if (plain.head !== input.head) refuseForeign(nestedKind(kindOf(plain.head)), options)
  refuseBinary(plain.head, kind, options)
  yield* plain.chunks
}

type Kind = 'gzip' | 'zstd' | 'bzip2' | 'xz' | 'zip' | 'lz4' | '7z' | 'tar' | 'nested' | 'plain'

const HEAD_BYTES = 8192
const DECODED_BYTES = 262_144

/** Frames that decoders skip, which may come first: `pzstd` writes one before each frame (RFC 8878, 3.1.2). */
const SKIPPED_FRAMES = Array.from({ length: 16 }, (_, low): [Kind, number[]] => [
  'zstd',
  [0x50 + low, 0x2a, 0x4d, 0x18],
])

const MAGIC: readonly [Kind, number[]][] = [
  ['gzip', [0x1f, 0x8b]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ...SKIPPED_FRAMES,
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
  ['zip', [0x50, 0x4b, 0x05, 0x06]],
  ['lz4', [0x04, 0x22, 0x4d, 0x18]],
  ['7z', [0x37, 0x7a, 0xbc, 0xaf]],
]

const UNPACK: Partial<Record<Kind, string>> = {
  bzip2: 'is bzip2-compressed, which is not read; unpack it first (bunzip2), or pipe it: {next}',
  xz: 'is xz-compressed, which is not read; unpack it first (unxz), or pipe it: {next}',
  lz4: 'is lz4-compressed, which is not read; unpack it first (unlz4)',
  zip: 'is a zip archive; unpack it first (unzip) and import the log files inside',
  '7z': 'is a 7z archive; unpack it first (7z x) and import the log files inside',
  tar: 'is a tar archive; unpack it first (tar xf) and import the log files inside',
  nested: 'is compressed twice; unpack one layer first',
}

/** Commands that write the unpacked log to standard output, so that it can be piped. */
const UNPACKERS: Partial<Record<Kind, string>> = { bzip2: 'bzcat', xz: 'xzcat' }

interface Peeked {
  head: Buffer
  chunks: AsyncIterable<Buffer>
}

/** The first bytes of a stream, and the whole stream including them. */
async function peek(chunks: AsyncIterable<Buffer>): Promise<Peeked> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first: Buffer[] = []
  let size = 0
  while (size < HEAD_BYTES) {
    const next = await iterator.next()
    if (next.done) break
    // A copy, because a chunk is valid until the next one is requested.
    first.push(Buffer.from(next.value))
    size += next.value.length
  }
  return { head: Buffer.concat(first).subarray(0, HEAD_BYTES), chunks: resume(first, iterator) }
}

async function* resume(first: Buffer[], iterator: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* first
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
  } finally {
    await iterator.return?.()
  }
}

function kindOf(head: Buffer): Kind {
  const found = MAGIC.find(([, bytes]) => bytes.every((byte, at) => head[at] === byte))
  if (found !== undefined) return found[0]
  return head.subarray(257, 262).toString('latin1') === 'ustar' ? 'tar' : 'plain'
}

function nestedKind(kind: Kind): Kind {
  return kind === 'gzip' || kind === 'zstd' ? 'nested' : kind
}

function refuseForeign(kind: Kind, { name, takes }: DecompressOptions): void {
  const advice = UNPACK[kind]
  if (advice === undefined) return
  if (takes !== undefined) throw new Refusal('not_readable', `${name} ${advice.split(/[,;] /, 1)[0]}; ${takes}`)
  const unpacker = UNPACKERS[kind]
  const next = unpacker === undefined ? {} : { next: { step: 'import_unpacked', unpacker } as const }
  throw new Refusal('not_readable', `${name} ${advice}`, next)
}

/** Text has no NUL and hardly any control characters; bytes from 0x80 on may be letters. */
function refuseBinary(head: Buffer, kind: Kind, { name, takes }: DecompressOptions): void {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) {
    throw new Refusal('not_readable', `${name} is UTF-16 text; convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)`)
  }
  let controls = 0
  for (const byte of head)
    if ((byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 27) || byte === 127) controls += 1
  if (controls <= head.length / 20) return
  if (takes === undefined && kind === 'plain' && beginsWithHole(head)) {
    throw new Refusal(
      'not_readable',
      `${name} begins with NUL bytes, as a log does that was truncated (copytruncate) while its server wrote on; leave them out: {next}`,
      { next: { step: 'import_unpacked', unpacker: "tr -d '\\000' <" } },
    )
  }
  throw new Refusal(
    'not_readable',
    takes === undefined
      ? `${name} is a binary file, not an access log; give the text log, plain, gzip or zstd`
      : `${name} is binary; ${takes}`,
  )
}

/** A run of NUL as a writer leaves it when its file was truncated; files of other kinds begin with shorter runs. */
const beginsWithHole = (head: Buffer): boolean =>
  head.length > MIN_HOLE_BYTES && head.subarray(0, MIN_HOLE_BYTES).every((byte) => byte === 0)
const MIN_HOLE_BYTES = 64

async function* counted(source: AsyncIterable<Buffer>, options: DecompressOptions): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    options.on_read?.(chunk.length)
    yield chunk
  }
}

async function* decode(
  chunks: AsyncIterable<Buffer>,
  kind: 'gzip' | 'zstd',
  options: DecompressOptions,
): AsyncGenerator<Buffer> {
  const decoder =
    kind === 'gzip' ? createGunzip({ chunkSize: DECODED_BYTES }) : createZstdDecompress({ chunkSize: DECODED_BYTES })
  const read = { bytes: 0, trailing_zeros: 0 }
  const input = Readable.from(measured(chunks, read), { objectMode: true, highWaterMark: 2 })
  let source_error: unknown = null
  input.on('error', (error) => {
    source_error = error
    decoder.destroy(error)
  })
  input.pipe(decoder)
  let decoded = 0
  try {
    for await (const piece of decoder as AsyncIterable<Buffer>) {
      decoded += piece.length
      refuseBomb(decoder.bytesWritten, decoded, kind, options)
      yield piece
    }
  } catch (error) {
    if (error === source_error || !isDecoderError(error)) throw error
    if (error.code === 'ZSTD_error_frameParameter_windowTooLarge') throw tooLongWindow(options)
    throw broken(options, kind, String(error.code) === 'Z_BUF_ERROR' ? 'truncated' : 'corrupt')
  } finally {
    input.destroy()
    decoder.destroy()
  }
  // TRICKY: the decoders stop without an error at the first bytes that begin no further member ("bytes behind the
  // last member").
  if (read.bytes - decoder.bytesWritten > read.trailing_zeros) throw broken(options, kind, 'corrupt')
}

function refuseBomb(
  packed: number,
  decoded: number,
  kind: 'gzip' | 'zstd',
  { name, limits = UNPACK_LIMITS }: DecompressOptions,
): void {
  const { max_bytes, free_bytes, max_times } = limits
  if (decoded > max_bytes) {
    const most = Math.round(max_bytes / GIB)
    throw new Refusal(
      'not_readable',
      `${name} unpacks to more than ${most} GiB, and nothing was stored; split the log and import the parts`,
    )
  }
  if (decoded <= free_bytes || decoded <= packed * max_times) return
  throw new Refusal(
    'not_readable',
    `${name} unpacks to more than ${max_times} times its size, as no log does, and nothing was stored; if it is one, unpack it first (${kind} -d) and import the plain file`,
  )
}

async function* measured(
  chunks: AsyncIterable<Buffer>,
  read: { bytes: number; trailing_zeros: number },
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    read.bytes += chunk.length
    let zeros = 0
    while (zeros < chunk.length && chunk[chunk.length - 1 - zeros] === 0) zeros += 1
    read.trailing_zeros = zeros === chunk.length ? read.trailing_zeros + zeros : zeros
    // A copy, because the decoder reads ahead, and a chunk is valid until the next one is requested.
    yield Buffer.from(chunk)
  }
}

function isDecoderError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && /^(?:Z_|ZSTD_|ERR_ZSTD|ERR_BUFFER_TOO)/.test(String(error.code))
}

/** The refusal of a window above the decoder's limit, which zstd needs only with `--long`. */
function tooLongWindow({ name, takes }: DecompressOptions): Refusal {
  const what = `${name} needs more than 128 MiB of memory to be unpacked, as files of zstd --long do`
  if (takes !== undefined) return new Refusal('not_readable', `${what}; ${takes}`)
  return new Refusal('not_readable', `${what}; unpack it first, or pipe it: {next}`, {
    next: { step: 'import_unpacked', unpacker: 'zstd -dc --long=31' },
  })
}

function broken({ name, repair }: DecompressOptions, kind: 'gzip' | 'zstd', fault: 'truncated' | 'corrupt'): Refusal {
  const what =
    fault === 'truncated'
      ? `ends before its ${kind} stream does: it is truncated`
      : `is corrupt: its ${kind} stream does not decode`
  return new Refusal(
    'not_readable',
    `${name} ${what}; ${repair ?? `copy the file again from the server, check it with ${kind} -t, and repeat`}`,
  )
}
