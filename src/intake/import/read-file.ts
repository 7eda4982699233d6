/** The first half of an import: reads a file to its end, in one or several threads, with the same result. */
import { availableParallelism } from 'node:os'
import { proveWithoutNames } from '#crawlers/identity/prove-request.ts'
import type { LineBatch } from '../log/lines.ts'
import type { BlockLines } from './block-lines.ts'
import { type BlockThread, type BlockThreadSetting, openBlockThread } from './block-thread.ts'
import { BlockReader, type BlockSetting } from './read-block.ts'
import { type FileReading, MAX_LINE_AHEAD_MS } from './take-line.ts'
import { LineWalk } from './walk-lines.ts'

export interface Threading {
  /** Files of at least this size are read by several threads; Infinity: none. */
  least_bytes: number
  threads: number
  /** The approximate size of the blocks for other threads. */
  block_bytes: number
  open(setting: BlockThreadSetting): BlockThread
}

const THREADING: Threading = {
  least_bytes: availableParallelism() > 1 ? 8_388_608 : Number.POSITIVE_INFINITY,
  threads: 2,
  block_bytes: 1_048_576,
  open: openBlockThread,
}

/** Reads every batch of a file; memory is bounded by a few blocks of lines and a batch of staged rows. */
export async function readFile(
  reading: FileReading,
  batches: AsyncIterable<LineBatch>,
  onLines: (lines: number) => void,
  threading = THREADING,
): Promise<void> {
  const walk = new LineWalk(reading, onLines)
  const here = new SingleThreadReading(reading, walk)
  let ahead: ThreadedReading | null = null
  let bytes = 0
  try {
    for await (const batch of batches) {
      bytes += batch.bytes.length
      if (ahead === null && bytes >= threading.least_bytes) ahead = new ThreadedReading(reading, walk, threading)
      if (walk.is_plain && ahead?.takes(batch)) {
        await ahead.put(batch.bytes)
        continue
      }
      await ahead?.finish()
      if (walk.is_plain && isWhole(batch)) await here.batch(batch.bytes)
      else await walk.lines(batch)
    }
    await ahead?.finish()
  } finally {
    await ahead?.close()
  }
}

function isWhole({ too_long, terminated }: LineBatch): boolean {
  return !too_long && terminated
}

function settingOf(reading: FileReading): BlockSetting {
  const { source_id, server, moved, delivery_id, root_domain, default_host, now } = reading
  return { source_id, server, moved, delivery_id, root_domain, default_host, now, latest: now + MAX_LINE_AHEAD_MS }
}

/** The most bytes that are read at once, because this process also answers requests. */
const MAX_PIECE_BYTES = 262_144
const LF = 10

/** Reads the plain lines of a file in this thread, and walks the others. */
class SingleThreadReading {
  readonly #walk: LineWalk
  readonly #blocks: BlockReader

  constructor(reading: FileReading, walk: LineWalk) {
    this.#walk = walk
    const judges = { agents: reading.agents, prove: proveWithoutNames(reading.prove) }
    this.#blocks = new BlockReader(settingOf(reading), judges)
  }

  async batch(bytes: Buffer): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const next = bytes.indexOf(LF, Math.min(from + MAX_PIECE_BYTES, bytes.length) - 1)
      const piece = bytes.subarray(from, next + 1)
      await this.#walk.block(piece, this.#blocks.read(piece))
      await this.#walk.pauseWhenDue()
      from = next + 1
    }
  }
}

/** The most blocks that each thread has, while this thread takes the result of an earlier one. */
const MAX_BLOCKS_AHEAD = 2

/** Other threads read the plain lines of a file; this one walks the others in order. */
class ThreadedReading {
  readonly #walk: LineWalk
  readonly #block_bytes: number
  readonly #threads: readonly BlockThread[]
  readonly #sent: { block: Buffer; answer: Promise<BlockLines> }[] = []
  #next_thread = 0
  /** The memory of returned blocks, for later ones. */
  readonly #free: SharedArrayBuffer[] = []
  #block: Buffer | null = null
  #size = 0

  constructor(reading: FileReading, walk: LineWalk, { block_bytes, threads, open }: Threading) {
    const { document, lists, asks_names } = reading
    const setting = { block: settingOf(reading), document, lists, asks_names }
    this.#walk = walk
    this.#block_bytes = block_bytes
    this.#threads = Array.from({ length: threads }, () => open(setting))
  }

  /** Whether a batch can be sent to another thread. */
  takes(batch: LineBatch): boolean {
    return isWhole(batch) && batch.bytes.length <= this.#block_bytes && this.#threads.every((one) => one.isReady())
  }

  async put(bytes: Buffer): Promise<void> {
    if (this.#size + bytes.length > 2 * this.#block_bytes) this.#send()
    this.#block ??= Buffer.from(this.#free.pop() ?? new SharedArrayBuffer(2 * this.#block_bytes))
    this.#size += bytes.copy(this.#block, this.#size)
    if (this.#size >= this.#block_bytes) this.#send()
    while (this.#sent.length > MAX_BLOCKS_AHEAD * this.#threads.length) await this.#takeResult()
  }

  /** Takes the results of all sent batches. */
  async finish(): Promise<void> {
    this.#send()
    while (this.#sent.length > 0) await this.#takeResult()
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((one) => one.close()))
  }

  #send(): void {
    if (this.#block === null) return
    const thread = this.#threads[this.#next_thread++ % this.#threads.length] as BlockThread
    const block = this.#block.subarray(0, this.#size)
    const answer = thread.read(block)
    // A failure is thrown when the block is awaited; until then it must not be an unhandled rejection.
    answer.catch(() => {})
    this.#sent.push({ block, answer })
    this.#block = null
    this.#size = 0
  }

  async #takeResult(): Promise<void> {
    const { block, answer } = this.#sent.shift() as { block: Buffer; answer: Promise<BlockLines> }
    await this.#walk.block(block, await answer)
    this.#free.push(block.buffer as SharedArrayBuffer)
  }
}
