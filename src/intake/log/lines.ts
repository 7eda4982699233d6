/** Divides byte chunks into batches of whole lines. Memory is bounded by the chunk size and the longest line. */
import { splitJson } from './split-json.ts'

/** A line longer than this is reported and skipped (rules 4). */
export const LINE_LIMIT = 1_048_576

/** Whole lines, each of which ends with LF, except perhaps the last line of the file. */
export interface LineBatch {
  /** Valid until the next batch is requested. */
  bytes: Buffer
  /** The batch is a single line longer than LINE_LIMIT, without its bytes. */
  too_long: boolean
  /** The last line has its line end; false only for a batch of the last line of the file. */
  terminated: boolean
}

/**
 * Batches of whole lines in the order of the file. Chunks may have any size, and are not used after the next one is
 * requested. A UTF-8 BOM at the start of the file is removed; CR before LF stays, and the reader removes it. Blank
 * lines stay, so that line numbers can be counted. Each record of a JSON array or of pretty-printed JSON becomes a
 * line: see splitJson, also for `onOpenList`.
 */
export async function* readLines(chunks: AsyncIterable<Buffer>, onOpenList?: () => void): AsyncGenerator<LineBatch> {
  const carry = new Carry()
  let at_start = true
  for await (const chunk of splitJson(chunks, onOpenList)) {
    for (const batch of splitChunk(chunk, carry)) {
      yield at_start ? withoutBom(batch) : batch
      at_start = false
    }
  }
  const last = carry.take(EMPTY, false)
  if (last !== null) yield at_start ? withoutBom(last) : last
}

const LF = 10
const EMPTY = Buffer.alloc(0)

function* splitChunk(chunk: Buffer, carry: Carry): Generator<LineBatch> {
  const first = chunk.indexOf(LF)
  if (first < 0) {
    carry.add(chunk)
    return
  }
  let from = 0
  if (carry.has_bytes) {
    from = first + 1
    const batch = carry.take(chunk.subarray(0, from), true)
    if (batch !== null) yield batch
  }
  const end = chunk.lastIndexOf(LF) + 1
  if (end > from) yield { bytes: chunk.subarray(from, end), too_long: false, terminated: true }
  carry.add(chunk.subarray(end))
}

function withoutBom(batch: LineBatch): LineBatch {
  const { bytes } = batch
  const has_one = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return has_one ? { ...batch, bytes: bytes.subarray(3) } : batch
}

/** The beginning of a line without its end so far; drops the bytes once the line exceeds the limit. */
class Carry {
  #parts: Buffer[] = []
  #size = 0
  #too_long = false

  get has_bytes(): boolean {
    return this.#size > 0 || this.#too_long
  }

  add(bytes: Buffer): void {
    if (bytes.length === 0 || this.#too_long) return
    this.#parts.push(Buffer.from(bytes))
    this.#size += bytes.length
    // Two more bytes, because the limit does not include CR LF.
    if (this.#size > LINE_LIMIT + 2) {
      this.#parts = []
      this.#size = 0
      this.#too_long = true
    }
  }

  take(rest: Buffer, terminated: boolean): LineBatch | null {
    this.add(rest)
    if (!this.has_bytes) return null
    const batch = this.#too_long
      ? { bytes: EMPTY, too_long: true, terminated }
      : { bytes: Buffer.concat(this.#parts), too_long: false, terminated }
    this.#parts = []
    this.#size = 0
    this.#too_long = false
    return batch
  }
}
