/** The first half of an import: reads a file to its end, in one thread or in two, with the same facts. */
import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import type { LineBatch } from '../log/lines.ts'
import type { PrefilteredLines } from '../log/prefilter-human-lines.ts'
import { type LineKind, LogReader } from '../log/read-line.ts'
import { isDummyConnection } from '../log/request.ts'
import {
  openPrefilterThread,
  type PrefilteredBlock,
  type PrefilterSetting,
  type PrefilterThread,
} from './prefilter-thread.ts'
import { type FileReading, MAX_LINE_AHEAD_MS, takeHumanLines, takeLine } from './take-line.ts'

export interface Threading {
  /** A smaller file is read before a thread has started; Infinity: no thread. */
  least_bytes: number
  /** Lines are handed over in blocks of about this size. */
  block_bytes: number
  open(setting: PrefilterSetting): PrefilterThread
}

const THREADING: Threading = {
  least_bytes: availableParallelism() > 1 ? 8_388_608 : Number.POSITIVE_INFINITY,
  block_bytes: 1_048_576,
  open: openPrefilterThread,
}

/** Reads every batch of a file; memory is bounded by a few blocks of lines and a batch of staged rows. */
export async function readFile(
  reading: FileReading,
  batches: AsyncIterable<LineBatch>,
  onLines: (lines: number) => void,
  threading = THREADING,
): Promise<void> {
  const walk = new Walk(reading, onLines)
  let ahead: ReadingAhead | null = null
  let bytes = 0
  try {
    for await (const batch of batches) {
      bytes += batch.bytes.length
      if (ahead === null && bytes >= threading.least_bytes) ahead = new ReadingAhead(reading, walk, threading)
      if (ahead === null) await walk.batch(batch)
      else await ahead.batch(batch)
    }
    await ahead?.finish()
  } finally {
    await ahead?.close()
  }
}

/** Requests are answered in this process too: reading rests when it has run for so long. */
const MAX_RUN_MS = 15
const LINES_BETWEEN_LOOKS = 256

/** Reads lines in their order, in this thread. */
class Walk {
  readonly #reading: FileReading
  readonly #reader: LogReader
  readonly #onLines: (lines: number) => void
  #rested: number
  #until_look = LINES_BETWEEN_LOOKS

  constructor(reading: FileReading, onLines: (lines: number) => void) {
    const isHuman = (agent: string) => !isDummyConnection(agent) && reading.agents.judge(agent) === null
    this.#reading = reading
    this.#reader = new LogReader(reading.timezone, isHuman)
    this.#onLines = onLines
    this.#rested = reading.clock.elapsed()
  }

  async batch(batch: LineBatch): Promise<void> {
    const reader = this.#reader
    reader.load(batch)
    for (let kind = reader.next(); kind !== null; kind = reader.next()) {
      const pause = this.#take(kind)
      if (pause !== null) await pause
    }
    this.#onLines(this.#reading.counts.lines)
  }

  /** Reads what is left of a block whose human lines are prefiltered. */
  async block(bytes: Buffer, prefiltered: PrefilteredLines): Promise<void> {
    const batch = { bytes, too_long: false, terminated: true }
    if (!takeHumanLines(this.#reading, prefiltered)) return this.batch(batch)
    const reader = this.#reader
    const { rest, last_human } = prefiltered
    const before = reader.line_number
    let is_past_humans = last_human < 0
    reader.load(batch)
    for (let at = 0; at < rest.length; at += 2) {
      const index = rest[at] as number
      if (!is_past_humans && index > last_human) {
        is_past_humans = true
        reader.passHumanLine(prefiltered.last_has_tail)
      }
      const kind = reader.nextAt(rest[at + 1] as number, before + index + 1)
      const pause = kind === null ? null : this.#take(kind)
      if (pause !== null) await pause
    }
    if (!is_past_humans) reader.passHumanLine(prefiltered.last_has_tail)
    reader.line_number = before + prefiltered.lines
    this.#onLines(this.#reading.counts.lines)
  }

  /** A promise only where something has to be waited for, because waiting takes longer than reading a line. */
  #take(kind: LineKind): Promise<void> | null {
    const { clock, stage } = this.#reading
    if (takeLine(this.#reading, this.#reader, kind)) return stage.flush()
    this.#until_look -= 1
    if (this.#until_look > 0) return null
    this.#until_look = LINES_BETWEEN_LOOKS
    return clock.elapsed() - this.#rested > MAX_RUN_MS ? this.#rest() : null
  }

  async #rest(): Promise<void> {
    this.#onLines(this.#reading.counts.lines)
    await setImmediate()
    this.#rested = this.#reading.clock.elapsed()
  }
}

/** Blocks that are with the thread while this one reads the rest of an earlier one. */
const MAX_BLOCKS_AHEAD = 4
/** After so many blocks in a row that are hardly human, the thread is of no use. */
const MAX_BLOCKS_IN_VAIN = 8

/** Has the human lines of a file prefiltered by a second thread, and walks the rest in order. */
class ReadingAhead {
  readonly #walk: Walk
  readonly #block_bytes: number
  readonly #thread: PrefilterThread
  readonly #given: Promise<PrefilteredBlock>[] = []
  /** Memory that came back from the thread. */
  readonly #free: ArrayBuffer[] = []
  #block: Buffer | null = null
  #size = 0
  #in_vain = 0

  constructor({ document, now }: FileReading, walk: Walk, { block_bytes, open }: Threading) {
    this.#walk = walk
    this.#block_bytes = block_bytes
    this.#thread = open({ document, latest: now + MAX_LINE_AHEAD_MS })
  }

  async batch(batch: LineBatch): Promise<void> {
    if (this.#isForThread(batch)) return this.#put(batch.bytes)
    await this.finish()
    await this.#walk.batch(batch)
  }

  /** Reads all that was handed over. */
  async finish(): Promise<void> {
    this.#give()
    while (this.#given.length > 0) await this.#takeBack()
  }

  close(): Promise<void> {
    return this.#thread.close()
  }

  #isForThread({ bytes, too_long, terminated }: LineBatch): boolean {
    if (too_long || !terminated || bytes.length > this.#block_bytes || this.#in_vain >= MAX_BLOCKS_IN_VAIN) return false
    return this.#thread.isReady()
  }

  async #put(bytes: Buffer): Promise<void> {
    if (this.#size + bytes.length > 2 * this.#block_bytes) this.#give()
    this.#block ??= Buffer.from(this.#free.pop() ?? new ArrayBuffer(2 * this.#block_bytes))
    this.#size += bytes.copy(this.#block, this.#size)
    if (this.#size >= this.#block_bytes) this.#give()
    while (this.#given.length > MAX_BLOCKS_AHEAD) await this.#takeBack()
  }

  #give(): void {
    if (this.#block === null) return
    const answer = this.#thread.prefilter({ block: this.#block.buffer as ArrayBuffer, size: this.#size })
    // A failure surfaces when the block is waited for; until then it must not count as unhandled.
    answer.catch(() => {})
    this.#given.push(answer)
    this.#block = null
    this.#size = 0
  }

  async #takeBack(): Promise<void> {
    const { prefiltered, block, size } = await (this.#given.shift() as Promise<PrefilteredBlock>)
    await this.#walk.block(Buffer.from(block, 0, size), prefiltered)
    this.#in_vain = 2 * prefiltered.human < prefiltered.lines ? this.#in_vain + 1 : 0
    this.#free.push(block)
  }
}
