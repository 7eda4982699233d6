/** Rows of a batch as bytes, written while its records arrive, so that the heap holds little. */
import type { FactRows } from '../facts/store-facts.ts'
import type { TaskQueue } from './task-queue.ts'

/** Stands for a digit of a row's event; JSON text cannot contain this character. */
const PLACEHOLDER = '\u0001'
const PLACEHOLDER_BYTE = 1
const LINE_FEED = 10
/** The digits of an event that identify its batch; nine digits of the record's position follow. */
export const PREFIX_DIGITS = 29
/** Positions start here, so that each has nine digits. */
const FIRST_POSITION = 100_000_000
const EVENT_PLACEHOLDER = PLACEHOLDER.repeat(PREFIX_DIGITS)
const PIECE_CHARACTERS = 65_536

/** The event of a record without an id. Its first digits are known after the whole body was read (see `fill`). */
export function openEvent(index: number): string {
  return EVENT_PLACEHOLDER + (FIRST_POSITION + index)
}

/** Rows of one month, with the events of those that have an id. */
export interface BatchRows extends FactRows {
  bytes: readonly Uint8Array[]
  /** Indexes of the rows with an id, ascending, and their events. */
  id_rows: Uint32Array
  events: readonly string[]
}

/** Rows of one month while the batch is read. */
export class MonthRows {
  #count = 0
  readonly #id_rows: number[] = []
  readonly #events: string[] = []
  readonly #pieces: Buffer[] = []
  #waiting = ''

  /** `id_event`: the event of a record with an id; else null. */
  add(row: string, id_event: string | null): void {
    if (id_event !== null) {
      this.#id_rows.push(this.#count)
      this.#events.push(id_event)
    }
    this.#count++
    this.#waiting += row
    if (this.#waiting.length >= PIECE_CHARACTERS) this.#flush()
  }

  /** Completes the events of the rows, each piece in memory of its own; call it once. */
  async fill(prefix: string, tasks: TaskQueue): Promise<BatchRows> {
    this.#flush()
    const digits = Buffer.from(prefix)
    let filled = 0
    for (const piece of this.#pieces) {
      if (filled++ % PIECES_PER_TASK === 0) await tasks.next()
      for (let at = piece.indexOf(PLACEHOLDER_BYTE); at >= 0; at = piece.indexOf(PLACEHOLDER_BYTE, at + PREFIX_DIGITS))
        piece.set(digits, at)
    }
    const idRows = Uint32Array.from(this.#id_rows)
    return { bytes: this.#pieces, count: this.#count, id_rows: idRows, events: this.#events }
  }

  #flush(): void {
    if (this.#waiting === '') return
    // Memory of Node's pool cannot be transferred to another thread.
    const piece = Buffer.allocUnsafeSlow(Buffer.byteLength(this.#waiting))
    piece.write(this.#waiting)
    this.#pieces.push(piece)
    this.#waiting = ''
  }
}

const PIECES_PER_TASK = 8

/** The rows without those of events in `seen`, each event once; adds the remaining events to `seen`. */
export function withoutSeen(rows: BatchRows, seen: Set<string>): FactRows {
  const bytes: Uint8Array[] = []
  let count = 0
  let row = 0
  let next = 0
  for (const piece of rows.bytes) {
    for (let start = 0; start < piece.length; row++) {
      const end = piece.indexOf(LINE_FEED, start) + 1
      const event = rows.id_rows[next] === row ? rows.events[next++] : undefined
      if (event === undefined || !seen.has(event)) {
        if (event !== undefined) seen.add(event)
        bytes.push(piece.subarray(start, end))
        count++
      }
      start = end
    }
  }
  return { bytes, count }
}
