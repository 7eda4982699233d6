/**
 * Which ids came lately, in bounded memory: a Bloom filter in hourly parts, so that nearly every new id is known to be
 * new without a look-up (rules 6, decision 0018). The parts lie side by side: one row has a bit of each hour.
 */
import { HOUR_MS } from '#clock.ts'

/** The low 64 bits of an event's id, which is a digest: uniform, whatever senders choose. */
export type IdHash = readonly [high: number, low: number]

/** Of the digest that an id is taken from, in hex. */
export const idHashOfHex = (hex: string): IdHash => [
  Number.parseInt(hex.slice(16, 24), 16),
  Number.parseInt(hex.slice(24, 32), 16),
]

/** Of an id as rows hold it, decimal. */
export function idHashOf(id: string): IdHash {
  const low = BigInt.asUintN(64, BigInt(id))
  return [Number(low >> 32n), Number(low & 0xffff_ffffn)]
}

const FIRST_ROOM = 256

/** Hashes in the order in which they were added: two numbers each, and no object that the collector has to follow. */
export class IdHashes {
  #halves = new Uint32Array(2 * FIRST_ROOM)
  #length = 0

  get length(): number {
    return this.#length
  }

  push([high, low]: IdHash): void {
    const at = 2 * this.#length++
    if (at === this.#halves.length) {
      const wider = new Uint32Array(2 * at)
      wider.set(this.#halves)
      this.#halves = wider
    }
    this.#halves[at] = high
    this.#halves[at + 1] = low
  }

  at(place: number): IdHash {
    return [this.#halves[2 * place] as number, this.#halves[2 * place + 1] as number]
  }
}

export interface RecentEventIds {
  /** True when an id may have come within 72 hours; false when it did not. Adds it to the hour of `at`. */
  testAndAdd(id: IdHash, at: number): boolean
  /** Adds an id without testing it. */
  add(id: IdHash, at: number): void
  /** False when the filter may lack ids that came before `at`: it must be filled from the store first. */
  isReady(at: number): boolean
  /** Empties the filter before it is filled; it is not ready until `end`, so that a fill that fails is made again. */
  begin(at: number): void
  /** From here on it holds what came before. */
  end(): void
  /** Memory that it takes. */
  bytes(): number
}

/**
 * A filter that takes every id for one that may have come: where several nodes store events, one's memory lacks what
 * the others stored, so each id is looked up.
 */
export const everyId = (): RecentEventIds => ({
  testAndAdd: () => true,
  add() {},
  isReady: () => true,
  begin() {},
  end() {},
  bytes: () => 0,
})

const WORDS = 3
/** Hours that have a bit of their own: 72, the one that has begun, and room for a clock that steps. */
const HOURS = WORDS * 32
const PROBES = 5
const MIN_ROWS = 2 ** 14
const MAX_ROWS = 2 ** 22
/** Past this many ids of an hour a row more is worth its memory: one part then errs once in 400,000 tests. */
const ROWS_PER_ID = 64

/** At most `max_rows` rows of 12 bytes, a power of two: 48 MiB by default, and 60 MiB while it grows. */
export function openRecentIds(max_rows = MAX_ROWS): RecentEventIds {
  let rows = Math.min(MIN_ROWS, max_rows)
  let bits = new Uint32Array(rows * WORDS)
  let hours = new Int32Array(HOURS).fill(-1)
  let ids = new Uint32Array(HOURS)
  let newest = Number.NEGATIVE_INFINITY
  let is_filled = false

  const clear = (slot: number) => {
    const keep = ~(1 << (slot & 31))
    for (let at = slot >> 5; at < bits.length; at += WORDS) bits[at] = (bits[at] as number) & keep
  }
  /** The bit of the hour of `at`, emptied of an hour that came long before. */
  const slotAt = (at: number): number => {
    const own = Math.floor(at / HOUR_MS)
    const slot = ((own % HOURS) + HOURS) % HOURS
    if (hours[slot] !== own) {
      if (hours[slot] !== -1) clear(slot)
      hours[slot] = own
      ids[slot] = 0
    }
    newest = Math.max(newest, own)
    return slot
  }
  /** TRICKY: a place is the low bits of a number, so that the rows repeated are right for every id that is there. */
  const grow = () => {
    const wider = new Uint32Array(bits.length * 4)
    for (let part = 0; part < 4; part++) wider.set(bits, part * bits.length)
    bits = wider
    rows *= 4
  }
  const addTo = ([high, low]: IdHash, at: number): boolean => {
    const slot = slotAt(at)
    ids[slot] = (ids[slot] as number) + 1
    if ((ids[slot] as number) * ROWS_PER_ID > rows && rows * 4 <= max_rows) grow()
    const word = slot >> 5
    const bit = 1 << (slot & 31)
    const step = high | 1
    let first = -1
    let second = -1
    let third = -1
    for (let probe = 0, place = low; probe < PROBES; probe++, place = (place + step) >>> 0) {
      const row = (place & (rows - 1)) * WORDS
      first &= bits[row] as number
      second &= bits[row + 1] as number
      third &= bits[row + 2] as number
      bits[row + word] = (bits[row + word] as number) | bit
    }
    return (first | second | third) !== 0
  }
  return {
    testAndAdd: addTo,
    add(id, at) {
      addTo(id, at)
    },
    // A clock that went back may have emptied parts that are needed again.
    isReady: (at) => is_filled && Math.floor(at / HOUR_MS) >= newest - 1,
    begin(at) {
      bits.fill(0)
      hours = new Int32Array(HOURS).fill(-1)
      ids = new Uint32Array(HOURS)
      newest = Math.floor(at / HOUR_MS)
      is_filled = false
    },
    end() {
      is_filled = true
    },
    bytes: () => bits.byteLength,
  }
}
