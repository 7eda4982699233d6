/** The ustar format (POSIX.1-1988), regular files only; sizes past 8 GiB as GNU tar and bsdtar write them. */

const BLOCK = 512
const LARGEST_OCTAL = 0o77777777777

export interface TarEntry {
  name: string
  size: number
}

/** The header block of a regular file. @throws RangeError for a name that does not fit. */
export function tarHeader({ name, size }: TarEntry, modified_at: number): Buffer {
  const header = Buffer.alloc(BLOCK)
  const { prefix, rest } = splitName(name)
  header.write(rest, 0, 100)
  header.write('0000600\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  writeSize(header, size)
  header.write(`${octal(Math.floor(modified_at / 1000), 11)} `, 136)
  header.write('        ', 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  header.write(prefix, 345, 155)
  header.write(`${octal(checksum(header), 6)}\0 `, 148)
  return header
}

/** Zeros that fill the last block of a file of this size. */
export const tarPadding = (size: number): Buffer => Buffer.alloc(padding(size))

/** The two empty blocks that end an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK)

/** Bytes that a file of this size takes in an archive, its header included. */
export const tarBytes = (size: number): number => BLOCK + size + padding(size)

/** Thrown where an archive is cut off or is none. */
export class TarError extends Error {}

/**
 * Reads an archive front to back; each entry's bytes must be read to their end before the next one. The source is closed at the end of the
 * archive, which comes before its own. @throws TarError
 */
export async function* readTar(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<TarEntry & { bytes: AsyncIterable<Buffer> }> {
  const input = new Input(source)
  try {
    for (;;) {
      const header = await input.exactly(BLOCK)
      if (header.every((byte) => byte === 0)) return
      const entry = readHeader(header)
      yield { ...entry, bytes: input.parts(entry.size) }
      await input.exactly(padding(entry.size))
    }
  } finally {
    await input.close()
  }
}

function readHeader(header: Buffer): TarEntry {
  const told = Number.parseInt(header.toString('latin1', 148, 156), 8)
  if (told !== checksum(header)) throw new TarError('a header is damaged')
  if (header.toString('latin1', 257, 262) !== 'ustar') throw new TarError('it is no ustar archive')
  const type = header.toString('latin1', 156, 157)
  if (type !== '0' && type !== '\0') throw new TarError(`it holds an entry of the type ${type}`)
  const prefix = textAt(header, 345, 155)
  const rest = textAt(header, 0, 100)
  return { name: prefix === '' ? rest : `${prefix}/${rest}`, size: readSize(header) }
}

/** Hands out bytes in the portions that are asked for, whatever portions come in. */
class Input {
  readonly #source: AsyncIterator<Uint8Array>
  #rest: Buffer = Buffer.alloc(0)
  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  async *parts(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0; ) {
      const part = await this.#upTo(left)
      left -= part.length
      yield part
    }
  }

  async exactly(size: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for await (const part of this.parts(size)) parts.push(part)
    return Buffer.concat(parts)
  }

  async close(): Promise<void> {
    await this.#source.return?.()
  }

  async #upTo(size: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const { value, done } = await this.#source.next()
      if (done) throw new TarError('it is cut off')
      this.#rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    }
    const part = this.#rest.subarray(0, size)
    this.#rest = this.#rest.subarray(part.length)
    return part
  }
}

function splitName(name: string): { prefix: string; rest: string } {
  if (Buffer.byteLength(name) <= 100) return { prefix: '', rest: name }
  const at = name.indexOf('/', name.length - 101)
  if (at < 0 || at > 155 || Buffer.byteLength(name) !== name.length) {
    throw new RangeError(`The name ${name} does not fit into a ustar header.`)
  }
  return { prefix: name.slice(0, at), rest: name.slice(at + 1) }
}

function writeSize(header: Buffer, size: number): void {
  if (size <= LARGEST_OCTAL) header.write(`${octal(size, 11)} `, 124)
  else {
    header.writeUInt8(0x80, 124)
    header.writeBigUInt64BE(BigInt(size), 128)
  }
}

function readSize(header: Buffer): number {
  const size =
    header.readUInt8(124) === 0x80
      ? Number(header.readBigUInt64BE(128))
      : Number.parseInt(header.toString('latin1', 124, 136), 8)
  if (Number.isSafeInteger(size) && size >= 0) return size
  throw new TarError('a size is damaged')
}

/** The sum of the header's bytes with its own field read as spaces. */
function checksum(header: Buffer): number {
  let sum = 8 * 0x20
  for (let at = 0; at < BLOCK; at++) if (at < 148 || at >= 156) sum += header.readUInt8(at)
  return sum
}

const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK
const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')
const textAt = (header: Buffer, at: number, length: number): string =>
  header.toString('utf8', at, at + length).replace(/\0.*$/s, '')
