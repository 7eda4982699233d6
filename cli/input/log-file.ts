/** A log to import: a file or standard input, read either here or by a server. */
import { accessSync, constants, createReadStream, type Stats, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { Refusal } from '#refusal.ts'
import { refuseFile, takeStandardInput } from './input-files.ts'

const CHUNK_BYTES = 1 << 20

/** The bytes of a log, read once by one of the two. */
export interface Log {
  /** For sending to a server. */
  stream(): Readable
  /** For reading here: each chunk is valid until the next one is requested. */
  chunks(): AsyncIterable<Uint8Array>
}

export class LogFile implements Log {
  /** In bytes; 0 when unknown. */
  readonly size: number
  /** What opening or reading it failed with. */
  error: unknown = null
  readonly #path: string
  readonly #is_regular: boolean
  readonly #broken_off = new AbortController()
  #stream: Readable | null = null
  #file: FileHandle | null = null

  /** `-` is standard input. @throws Refusal not_readable: says what to do. */
  constructor(path: string) {
    const stats = path === '-' ? null : statsOf(path)
    this.#path = path
    this.#is_regular = stats?.isFile() === true
    this.size = stats === null ? 0 : stats.size
  }

  stream(): Readable {
    const { signal } = this.#broken_off
    const stream = this.#open()
    stream.once('error', (error) => this.#note(error))
    const breakOff = () => stream.destroy(signal.reason)
    if (signal.aborted) breakOff()
    else signal.addEventListener('abort', breakOff)
    this.#stream = stream
    return stream
  }

  /**
   * Reads into the same memory for every chunk. A stream allocates new memory for each, which would make Node collect
   * garbage every few chunks. But only a stream can be broken off while it waits for more input.
   */
  chunks(): AsyncIterable<Buffer> {
    return this.#is_regular ? this.#read() : this.stream()
  }

  #open(): Readable {
    if (this.#path === '-') return takeStandardInput()
    const stream = createReadStream(this.#path, { highWaterMark: CHUNK_BYTES })
    return this.#is_regular ? stream : Readable.from(this.#whileWanted(stream), { objectMode: false })
  }

  /**
   * TRICKY: opening or reading a named pipe without a writer blocks, and destroying the stream would block as well ("a
   * named pipe without a writer").
   */
  async *#whileWanted(stream: Readable): AsyncGenerator<Buffer> {
    const { signal } = this.#broken_off
    const broken_off = new Promise<never>((_resolve, reject) => {
      if (signal.aborted) reject(signal.reason)
      signal.addEventListener('abort', () => reject(signal.reason))
    })
    broken_off.catch(() => {})
    const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]()
    try {
      for (;;) {
        const next = await Promise.race([chunks.next(), broken_off])
        if (next.done) return
        yield next.value
      }
    } finally {
      stream.destroy()
    }
  }

  breakOff(reason: unknown): void {
    this.#broken_off.abort(reason)
  }

  /** Also needed if the reader stopped in the middle: Node ends the process over a file that is left open. */
  async close(): Promise<void> {
    this.#stream?.destroy()
    const file = this.#file
    this.#file = null
    await file?.close()
  }

  async *#read(): AsyncGenerator<Buffer> {
    const { signal } = this.#broken_off
    try {
      const file = await open(this.#path)
      this.#file = file
      const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
      for (;;) {
        signal.throwIfAborted()
        const { bytesRead } = await file.read(chunk)
        if (bytesRead === 0) return
        yield chunk.subarray(0, bytesRead)
      }
    } catch (error) {
      throw this.#note(error)
    } finally {
      await this.close()
    }
  }

  #note(error: unknown): unknown {
    this.error = error
    return error
  }
}

/** Why a named log cannot be opened, as far as this can be known in advance; null if it can. */
export function unreadableLog(path: string): Refusal | null {
  if (path === '-') return null
  try {
    statsOf(path)
    accessSync(path, constants.R_OK)
    return null
  } catch (error) {
    return refuseFile(path, error)
  }
}

function statsOf(path: string): Stats {
  let stats: Stats
  try {
    stats = statSync(path)
  } catch (error) {
    throw refuseFile(path, error)
  }
  if (!stats.isDirectory()) return stats
  throw new Refusal('not_readable', `${path} is a folder: name the files, for example '${path}/*.log'`)
}
