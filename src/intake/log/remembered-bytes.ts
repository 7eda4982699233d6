/** What repeats from line to line, found by its bytes, so that a field need not become a string. */

/** Fields that are remembered, a power of two; past it, or past so many bytes of each, all are forgotten. */
const MOST = 32_768
const MAX_BYTES_OF_EACH = 128
const FIRST_BYTES = 65_536
/** Longer fields are never remembered. */
const LONGEST = 1024
/** Fields made to share a slot must not make a look-up long. */
const MAX_CHAIN_LENGTH = 8
/** How many of a field's last bytes choose its slot: browsers write there what distinguishes them. */
const SAMPLED = 40

/**
 * Memory for bytes grows as they come, because many a reader sees a few lines only. Entries are numbered from 1 and
 * chained by slot.
 */
export class RememberedBytes<Value> {
  readonly #slots: Int32Array
  readonly #next: Int32Array
  /** Where the bytes of an entry begin in `#bytes`, at a multiple of four; the entry after it begins behind them. */
  readonly #begins: Int32Array
  readonly #sizes: Int32Array
  #bytes = new Uint8Array(FIRST_BYTES)
  #words = new Int32Array(this.#bytes.buffer)
  #values: Value[] = []
  #count = 0
  readonly #read: (field: string) => Value
  readonly #most: number

  /** `read` makes the value of a field (a binary string of its own); `most` is a power of two. */
  constructor(read: (field: string) => Value, most = MOST) {
    this.#read = read
    this.#most = most
    this.#slots = new Int32Array(most)
    this.#next = new Int32Array(most + 1)
    this.#begins = new Int32Array(most + 2)
    this.#sizes = new Int32Array(most + 1)
  }

  /** The value of the field at bytes[start, end), of which `view` is a view; undefined: not to be remembered. */
  of(bytes: Buffer, view: DataView, start: number, end: number): Value | undefined {
    const size = end - start
    const slot = hashOf(view, start, end) & (this.#most - 1)
    let depth = 0
    for (let entry = this.#slots[slot] as number; entry !== 0; entry = this.#next[entry] as number) {
      if (this.#sizes[entry] === size && this.#holds(entry, bytes, view, start, end)) return this.#values[entry - 1]
      depth += 1
    }
    return depth < MAX_CHAIN_LENGTH && size <= LONGEST ? this.#remember(bytes, start, end, slot) : undefined
  }

  #holds(entry: number, bytes: Buffer, view: DataView, start: number, end: number): boolean {
    const words = this.#words
    let word = (this.#begins[entry] as number) >> 2
    let at = start
    for (const whole = end - 4; at <= whole; at += 4, word += 1) {
      if (view.getInt32(at, true) !== words[word]) return false
    }
    for (let known = word << 2; at < end; at += 1, known += 1) if (bytes[at] !== this.#bytes[known]) return false
    return true
  }

  #remember(bytes: Buffer, start: number, end: number, slot: number): Value {
    const begin = this.#begins[this.#count + 1] as number
    if (this.#count === this.#most || begin + end - start > MAX_BYTES_OF_EACH * this.#most) {
      this.#forgetAll()
      return this.#remember(bytes, start, end, slot)
    }
    while (begin + end - start > this.#bytes.length) this.#grow()
    const value = this.#read(bytes.toString('latin1', start, end))
    const entry = ++this.#count
    this.#values.push(value)
    this.#bytes.set(bytes.subarray(start, end), begin)
    this.#sizes[entry] = end - start
    this.#begins[entry + 1] = (begin + end - start + 3) & ~3
    this.#next[entry] = this.#slots[slot] as number
    this.#slots[slot] = entry
    return value
  }

  #grow(): void {
    const grown = new Uint8Array(Math.min(4 * this.#bytes.length, MAX_BYTES_OF_EACH * this.#most))
    grown.set(this.#bytes)
    this.#bytes = grown
    this.#words = new Int32Array(grown.buffer)
  }

  #forgetAll(): void {
    this.#slots.fill(0)
    this.#values = []
    this.#count = 0
  }
}

function hashOf(view: DataView, start: number, end: number): number {
  let hash = end - start
  for (let at = end - 4, last = Math.max(start, end - SAMPLED); at >= last; at -= 4) {
    hash = Math.imul(hash ^ view.getInt32(at, true), 0x9e3779b1)
    hash ^= hash >>> 15
  }
  return hash ^ (hash >>> 13)
}
