/** The identity of a line without its ordinal (rules 4). */
import { isAscii } from 'node:buffer'
import { hash } from 'node:crypto'
import { overlap, type TimeRange } from '#days/intervals.ts'

/** An upload whose days were moved to this server. */
export interface MovedPart {
  source_id: string
  server: string
  /** The time that it covers, disjoint and ascending. */
  ranges: TimeRange[]
}

/** The source and the server of a line. */
export interface LineOrigin {
  source_id: string
  server: string
  moved: readonly MovedPart[]
}

/** A hash of source, server and content, one character for each byte; the first 16 count. */
export function lineHash(origin: LineOrigin, line: string, at: number): string {
  return hash('sha256', `${prefixOf(partOf(origin, at))}${line}`, 'latin1')
}

type Part = Pick<LineOrigin, 'source_id' | 'server'>

function partOf(origin: LineOrigin, at: number): Part {
  if (origin.moved.length === 0) return origin
  return origin.moved.find(({ ranges }) => isWithin(ranges, at)) ?? origin
}

function prefixOf({ source_id, server }: Part): string {
  return `${source_id}\n${server}\n`
}

/** The same for lines in bytes. Nearly all lines are ASCII, and need not become strings. */
export class LineHasher {
  readonly #origin: LineOrigin
  #bytes: Buffer = Buffer.alloc(0)
  #is_ascii = true
  /** The prefix of `#part`, followed by the current line. */
  #memory: Buffer = Buffer.alloc(FIRST_BYTES)
  #part: Part | null = null
  #prefix_size = 0

  constructor(origin: LineOrigin) {
    this.#origin = origin
  }

  /** Sets the bytes that contain the lines. */
  load(bytes: Buffer): void {
    this.#bytes = bytes
    this.#is_ascii = isAscii(bytes)
  }

  /** As `lineHash` of the line at [start, end). */
  of(start: number, end: number, at: number): string {
    const bytes = this.#bytes
    if (!this.#is_ascii && !isAscii(bytes.subarray(start, end)))
      return lineHash(this.#origin, bytes.toString('latin1', start, end), at)
    this.#begin(partOf(this.#origin, at), end - start)
    const size = this.#prefix_size + bytes.copy(this.#memory, this.#prefix_size, start, end)
    return hash('sha256', this.#memory.subarray(0, size), 'latin1')
  }

  #begin(part: Part, line_size: number): void {
    if (part === this.#part && this.#prefix_size + line_size <= this.#memory.length) return
    const prefix = Buffer.from(prefixOf(part))
    const size = prefix.length + line_size
    if (size > this.#memory.length) this.#memory = Buffer.alloc(2 * size)
    prefix.copy(this.#memory)
    this.#part = part
    this.#prefix_size = prefix.length
  }
}

const FIRST_BYTES = 4_096

function isWithin(ranges: TimeRange[], at: number): boolean {
  return overlap(ranges, { from: at, to: at + 1 }) === 'inside'
}
