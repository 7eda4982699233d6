/** Archives of regular files in the ustar format (POSIX.1-1988), written and read with tar-stream. */
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import tar from 'tar-stream'

const BLOCK = 512
/** The size of the empty blocks at the end of an archive. */
const END_BYTES = 2 * BLOCK

/** A regular file of an archive. */
export interface TarFile {
  name: string
  size: number
}

/** A file with its content, which is read while the archive is written. */
export interface TarContent extends TarFile {
  bytes: Iterable<Buffer> | AsyncIterable<Buffer>
}

/** The archive is truncated or damaged, or the file is not an archive. */
export class TarError extends Error {}

/** The size of an archive of files with these sizes. */
export const tarBytes = (sizes: readonly number[]): number =>
  sizes.reduce((sum, size) => sum + BLOCK + Math.ceil(size / BLOCK) * BLOCK, END_BYTES)

/**
 * Writes an archive in parts, in order.
 * @throws Error: a file does not have its announced size.
 */
export async function* writeTar(files: AsyncIterable<TarContent>, modified_at: number): AsyncGenerator<Buffer> {
  const archive = tar.pack()
  const writeFiles = async () => {
    for await (const file of files) {
      const { name, size } = file
      const entry = archive.entry({ name, size, mode: 0o600, mtime: new Date(modified_at) })
      await pipeline(contentOf(file), entry)
    }
    archive.finalize()
  }
  const written = writeFiles().catch((error: Error) => archive.destroy(error))
  for await (const part of archive) yield part as Buffer
  await written
}

async function* contentOf({ name, size, bytes }: TarContent): AsyncGenerator<Buffer> {
  let remaining = size
  for await (const part of bytes) {
    remaining -= part.length
    if (remaining < 0) break
    yield part
  }
  if (remaining !== 0) throw new Error(`${name} changed while it was packed.`)
}

/**
 * Reads an archive in order. The bytes of each file must be read completely before the next one. Closes the
 * source at the end.
 * @throws TarError, errors of the source.
 */
export async function* readTar(source: Readable): AsyncGenerator<TarFile & { bytes: AsyncIterable<Buffer> }> {
  const archive = tar.extract()
  let last: Buffer = Buffer.alloc(0)
  const rememberLast = async function* (parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const part of parts) {
      last = part.length < BLOCK ? Buffer.concat([last, part]).subarray(-BLOCK) : part.subarray(-BLOCK)
      yield part
    }
  }
  // A failure here ends `archive` with the same error.
  const fed = pipeline(source, rememberLast, archive).catch(() => {})
  try {
    for await (const entry of withTarErrors(archive)) {
      const { name, size = 0, type } = entry.header
      if (type !== 'file') throw new TarError(`it holds an entry of the type ${type}`)
      yield { name, size, bytes: withTarErrors(entry as AsyncIterable<Buffer>) }
    }
    // TRICKY: tar-stream accepts an archive without its last blocks.
    if (last.length < BLOCK || last.some((byte) => byte !== 0)) throw new TarError('it is cut off')
  } finally {
    archive.destroy()
    await fed
  }
}

/** Turns errors of tar-stream into TarError. */
async function* withTarErrors<T>(parts: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* parts
  } catch (error) {
    const text = error instanceof Error ? error.message : ''
    if (text === 'Unexpected end of data') throw new TarError('it is cut off', { cause: error })
    if (/unknown format/.test(text)) throw new TarError('it is not a ustar archive', { cause: error })
    if (/^Invalid tar header/.test(text)) throw new TarError('a header is damaged', { cause: error })
    throw error
  }
}
