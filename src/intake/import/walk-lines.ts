/**
 * Walks the lines of a file in order: plain ones from the result of their block, the others through the reader of text.
 */
import { setImmediate } from 'node:timers/promises'
import type { LineBatch } from '../log/lines.ts'
import { type LineKind, LogReader } from '../log/read-line.ts'
import type { BlockLines } from './block-lines.ts'
import { releaseBuffer } from './release-buffer.ts'
import { takeBlock } from './take-block.ts'
import { type FileReading, takeLine } from './take-line.ts'

/** The longest run of reading before a pause, because this process also answers requests. */
const MAX_RUN_MS = 15
const LINES_BETWEEN_CHECKS = 256
/** After so many consecutive blocks with hardly any plain lines, all lines are read as text. */
const MAX_FRUITLESS_BLOCKS = 8

export class LineWalk {
  readonly #reading: FileReading
  readonly #reader: LogReader
  readonly #onLines: (lines: number) => void
  #paused_at: number
  #until_check = LINES_BETWEEN_CHECKS
  #fruitless_blocks = 0

  constructor(reading: FileReading, onLines: (lines: number) => void) {
    this.#reading = reading
    this.#reader = new LogReader(reading.timezone)
    this.#onLines = onLines
    this.#paused_at = reading.clock.elapsed()
  }

  /** False once blocks have hardly any plain lines. */
  get is_plain(): boolean {
    return this.#fruitless_blocks < MAX_FRUITLESS_BLOCKS
  }

  /** Reads every line with the reader of text. */
  async lines(batch: LineBatch): Promise<void> {
    const reader = this.#reader
    reader.load(batch)
    for (let kind = reader.next(); kind !== null; kind = reader.next()) {
      const pause = this.#take(kind)
      if (pause !== null) await pause
    }
    this.#onLines(this.#reading.counts.lines)
  }

  /** Takes a block of whole lines with the result of its plain ones, which must not be used again. */
  async block(bytes: Buffer, block: BlockLines): Promise<void> {
    this.#fruitless_blocks = block.other_lines.length > block.lines ? this.#fruitless_blocks + 1 : 0
    const batch = { bytes, too_long: false, terminated: true }
    if (!takeBlock(this.#reading, block)) return this.lines(batch)
    const { other_lines, rows, last_plain, last_has_tail } = block
    const reader = this.#reader
    const before = reader.line_number
    const doubles = this.#noteDoubles(block)
    let is_past_plain = last_plain < 0
    reader.load(batch)
    for (let at = 0; at < other_lines.length; at += 2) {
      const index = other_lines[at] as number
      doubles(index)
      if (!is_past_plain && index > last_plain) {
        is_past_plain = true
        reader.passPlainLine(last_has_tail)
      }
      const kind = reader.nextAt(other_lines[at + 1] as number, before + index + 1)
      const pause = kind === null ? null : this.#take(kind)
      if (pause !== null) await pause
    }
    doubles(block.lines)
    if (!is_past_plain) reader.passPlainLine(last_has_tail)
    reader.line_number = before + block.lines
    for (const { buffer } of [block.minutes, other_lines, block.line_hashes]) releaseBuffer(buffer)
    if (rows !== null && this.#reading.stage.addBlock(rows, before + 1)) await this.#reading.stage.flush()
    this.#onLines(this.#reading.counts.lines)
  }

  /** Returns a promise only if reading should pause. */
  async pauseWhenDue(): Promise<void> {
    if (this.#reading.clock.elapsed() - this.#paused_at > MAX_RUN_MS) await this.#pause()
  }

  /** Returns a function that adds the stored lines of a block, up to an index, to the detection of double logs. */
  #noteDoubles({ line_hashes: hashes, rows }: BlockLines): (index: number) => void {
    const { double_log } = this.#reading.counts
    let row = 0
    return (index) => {
      if (rows === null) return
      for (; row < rows.count && (rows.line_numbers[2 * row] as number) <= index; row += 1)
        double_log.add(hashes[3 * row] as number, hashes[3 * row + 1] as number, hashes[3 * row + 2] as number)
    }
  }

  /** Returns a promise only if it is needed, because awaiting takes longer than reading a line. */
  #take(kind: LineKind): Promise<void> | null {
    const { clock, stage } = this.#reading
    if (takeLine(this.#reading, this.#reader, kind)) return stage.flush()
    this.#until_check -= 1
    if (this.#until_check > 0) return null
    this.#until_check = LINES_BETWEEN_CHECKS
    return clock.elapsed() - this.#paused_at > MAX_RUN_MS ? this.#pause() : null
  }

  async #pause(): Promise<void> {
    this.#onLines(this.#reading.counts.lines)
    await setImmediate()
    this.#paused_at = this.#reading.clock.elapsed()
  }
}
