/** Rows of a batch as bytes, written as its records come, so that little waits in the heap. */
import type { FactRows } from '../facts/store-facts.ts'
import type { Turns } from './turns.ts'

/** Stands where a row's event will be: no JSON text holds this character. */
const HOLE = '\u0001'
const HOLE_BYTE = 1
const LINE_FEED = 10
/** Digits of a batch's part of an event; nine of the record's position in it follow. */
export const PREFIX_DIGITS = 29
/** So that every position has nine digits. */
const FIRST_POSITION = 100_000_000
const HOLES = HOLE.repeat(PREFIX_DIGITS)
const PIECE_CHARACTERS = 65_536

/** The event of a record without an id, whose first digits are known once the whole body is (see `fill`). */
export function openEvent(index: number): string {
  return HOLES + (FIRST_POSITION + index)
}

/** Rows of one month. */
export class MonthRows {
  count = 0
  /** The events of rows with an id, by their place among the rows. */
  readonly events = new Map<number, string>()
  readonly #pieces: Buffer[] = []
  #waiting = ''

  /** `id_event` is the event where the record has an id, else null. */
  add(row: string, id_event: string | null): void {
    if (id_event !== null) this.events.set(this.count, id_event)
    this.count++
    this.#waiting += row
    if (this.#waiting.length >= PIECE_CHARACTERS) this.#flush()
  }

  /** The rows with their events filled in; call it once. */
  async fill(prefix: string, turns: Turns): Promise<FactRows> {
    this.#flush()
    const digits = Buffer.from(prefix)
    let filled = 0
    for (const piece of this.#pieces) {
      if (filled++ % PIECES_A_TURN === 0) await turns.next()
      for (let at = piece.indexOf(HOLE_BYTE); at >= 0; at = piece.indexOf(HOLE_BYTE, at + PREFIX_DIGITS))
        piece.set(digits, at)
    }
    return { bytes: this.#pieces, count: this.count }
  }

  /** The rows without those whose event is to be dropped, and each of the others once; after `fill`. */
  without(seen: Set<string>): FactRows {
    const bytes: Buffer[] = []
    let count = 0
    let place = 0
    for (const piece of this.#pieces) {
      for (let start = 0; start < piece.length; place++) {
        const end = piece.indexOf(LINE_FEED, start) + 1
        const event = this.events.get(place)
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

  #flush(): void {
    if (this.#waiting === '') return
    this.#pieces.push(Buffer.from(this.#waiting))
    this.#waiting = ''
  }
}

const PIECES_A_TURN = 8
