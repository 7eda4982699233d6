/** Decodes the bytes of a batch into records while they arrive, with pauses for the rest of the service. */

import { createHash } from 'node:crypto'
import { systemClock } from '#clock.ts'
import { formatCount } from '#quantities.ts'
import { Refusal } from '#refusal.ts'
import { decodeKeepingBytes } from '../log/decode.ts'
import { decompress } from '../log/decompress.ts'
import { LINE_LIMIT, readLines } from '../log/lines.ts'
import { parseBinary } from '../log/parse-binary.ts'
import type { Batch } from './batch.ts'
import { IntakeRefusal } from './batch-refusal.ts'
import type { Dialect } from './dialects.ts'
import { isHeartbeat } from './heartbeat.ts'
import { emptyIntakeRecord, type JsonRecord } from './record.ts'
import type { TaskQueue } from './task-queue.ts'

export const MAX_DECODED_BYTES = 64 * 1024 * 1024
export const MAX_RECORDS = 200_000

const clock = systemClock()
/** The longest work between two tasks. */
const MAX_RUN_MS = 4
const RECORDS_BETWEEN_LOOKS = 32

interface Reading {
  batch: Batch
  dialect: Dialect
  share: ByteBudget
  tasks: TaskQueue
}

/** Counts the decoded bytes of a batch. @throws IntakeRefusal busy. */
export interface ByteBudget {
  grow(bytes: number): void
}

/**
 * Reads a whole body into the batch; returns the SHA-256 of the decoded body, hex.
 * @throws IntakeRefusal too_large (past 64 MiB or 200,000 records), not_readable (also: truncated), busy.
 */
export async function readBatchBody(reading: Reading, body: AsyncIterable<Buffer>): Promise<string> {
  const digest = createHash('sha256')
  try {
    const plain = counted(decompress(limited(body), DECOMPRESSION), reading.share, digest)
    await readRecords(reading, readLines(reading.dialect.unwrap?.(plain) ?? plain, refuseOpenList))
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'not_readable') {
      throw new IntakeRefusal('not_readable', `${error.message}. Nothing was stored.`, error.next)
    }
    throw error
  }
  return digest.digest('hex')
}

/**
 * Refuses an unfinished list: the next batch would cover the time of its missing records. @throws Refusal not_readable.
 */
function refuseOpenList(): never {
  throw new Refusal(
    'not_readable',
    `${DECOMPRESSION.name} ends before its JSON array does: it is truncated; ${DECOMPRESSION.repair}`,
  )
}

const DECOMPRESSION = {
  name: 'The body',
  repair: 'send the batch again as a whole',
  takes: 'send one JSON object a line, or one array of them, plain or compressed with gzip or zstd',
}

/** Stops a body whose compressed bytes exceed the limit of decoded ones. */
async function* limited(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > MAX_DECODED_BYTES) throw tooLarge()
    yield chunk
  }
}

async function* counted(
  chunks: AsyncIterable<Buffer>,
  share: ByteBudget,
  digest: { update(chunk: Buffer): unknown },
): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > MAX_DECODED_BYTES) throw tooLarge()
    share.grow(chunk.length)
    digest.update(chunk)
    yield chunk
  }
}

/** The refusal of a batch beyond the limits. */
export function tooLarge(): IntakeRefusal {
  return new IntakeRefusal(
    'too_large',
    `A batch may hold ${formatCount(MAX_DECODED_BYTES)} bytes after decompression and ${formatCount(MAX_RECORDS)} records; nothing of this one was stored. Send smaller batches.`,
  )
}

async function readRecords({ batch, dialect, tasks }: Reading, batches: ReturnType<typeof readLines>): Promise<void> {
  const { answer } = batch
  const walk = new Walk(batch, dialect)
  for await (const { bytes, too_long } of batches) {
    await tasks.next()
    let rested = clock.elapsed()
    if (too_long) batch.reject('line_too_long')
    walk.load(bytes.toString('latin1'))
    for (let looks = 1; walk.has_more; looks++) {
      const opening = walk.step()
      if (opening !== undefined) await opening
      if (answer.records > MAX_RECORDS) throw tooLarge()
      if (looks % RECORDS_BETWEEN_LOOKS === 0 && clock.elapsed() - rested > MAX_RUN_MS) {
        await tasks.next()
        rested = clock.elapsed()
      }
    }
  }
  if (answer.records > MAX_RECORDS) throw tooLarge()
}

/** Walks the lines of texts, one at a time. */
class Walk {
  readonly #batch: Batch
  readonly #dialect: Dialect
  readonly #record = emptyIntakeRecord()
  #text = ''
  #at = 0
  #is_ascii = true

  constructor(batch: Batch, dialect: Dialect) {
    this.#batch = batch
    this.#dialect = dialect
  }

  load(text: string): void {
    this.#text = text
    this.#at = 0
    this.#is_ascii = !HIGH_BYTE.test(text)
  }

  get has_more(): boolean {
    return this.#at < this.#text.length
  }

  /** Takes the next line; returns a promise if it has to wait. */
  step(): Promise<void> | undefined {
    const start = this.#at
    const line_end = this.#text.indexOf('\n', start)
    const end = line_end < 0 ? this.#text.length : line_end
    this.#at = end + 1
    if (end === start) return
    const line = this.#text.slice(start, end)
    if (line.length > LINE_LIMIT) return void this.#batch.reject('line_too_long')
    if (this.#dialect.isWord?.(line) === true) return
    const value = this.#parse(line)
    if (value === undefined) {
      if (!BLANK.test(line)) this.#batch.reject('not_json')
      return
    }
    return Array.isArray(value) ? this.#takeAll(value) : this.#take(value)
  }

  /** Takes a whole array in one line, including values that are not objects. */
  async #takeAll(values: readonly unknown[]): Promise<void> {
    for (const value of values) await this.#take(value)
  }

  #take(value: unknown): Promise<void> | undefined {
    const batch = this.#batch
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return void batch.reject('not_an_object')
    batch.objects++
    const json = value as JsonRecord
    if (isHeartbeat(json)) return void batch.takeHeartbeat(json)
    const carried = this.#dialect.unpack?.(json)
    if (carried) return this.#takeAll(carried)
    const reading = this.#dialect.read(json, this.#record)
    if (reading === null) return batch.take(this.#record)
    if (reading === 'not_a_visit') return void batch.ignore()
    batch.reject(reading)
    return
  }

  #parse(line: string): unknown {
    if (this.#dialect.is_binary) return parseBinary(line.trimEnd())
    const text = this.#is_ascii ? line : decodeKeepingBytes(line)
    const value = parseJson(text)
    // In an array with one record a line, each line ends with a comma.
    return value === undefined && COMMA_AT_END.test(text) ? parseJson(text.replace(COMMA_AT_END, '')) : value
  }
}

const COMMA_AT_END = /,[ \t\r]*$/
const HIGH_BYTE = /[\x80-\xff]/
const BLANK = /^\s*$/

/** The parsed value, or undefined if the text is not valid JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
