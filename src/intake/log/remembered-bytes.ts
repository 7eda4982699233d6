/** What repeats from line to line, found by its bytes, so that a field need not become a string. */

/** Fields that are remembered, and their bytes all together; past either all are forgotten. */
const MOST = 32_768
const MAX_BYTES = 4_194_304
const SLOTS = 32_768
/** Longer fields are never remembered. */
const LONGEST = 1024
/** Fields made to share a slot must not make a look-up long. */
const MAX_CHAIN_LENGTH = 8
/** How many of a field's last bytes choose its slot: browsers write there what distinguishes them. */
const SAMPLED = 40

/** Memory is taken once and never grows. Entries are numbered from 1 and chained by slot. */
export class RememberedBytes<Value> {
  readonly #slots = new Int32Array(SLOTS)
  readonly #next = new Int32Array(MOST + 1)
  /** Where the bytes of an entry begin in `#bytes`, at a multiple of four; the entry after it begins behind them. */
  readonly #begins = new Int32Array(MOST + 2)
  readonly #sizes = new Int32Array(MOST + 1)
  readonly #bytes = new Uint8Array(MAX_BYTES)
  readonly #words = new Int32Array(this.#bytes.buffer)
  #values: Value[] = []
  #count = 0
  readonly #read: (field: string) => Value

  /** `read` makes the value of a field (a binary string of its own). */
  constructor(read: (field: string) => Value) {
    this.#read = read
  }

  /** The value of the field at bytes[start, end), of which `view` is a view; undefined: not to be remembered. */
  of(bytes: Buffer, view: DataView, start: number, end: number): Value | undefined {
    const size = end - start
    const slot = slotOf(view, start, end)
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
    if (this.#count === MOST || begin + end - start > MAX_BYTES) {
      this.#forgetAll()
      return this.#remember(bytes, start, end, slot)
    }
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

  #forgetAll(): void {
    this.#slots.fill(0)
    this.#values = []
    this.#count = 0
  }
}

function slotOf(view: DataView, start: number, end: number): number {
  let hash = end - start
  for (let at = end - 4, last = Math.max(start, end - SAMPLED); at >= last; at -= 4) {
    hash = Math.imul(hash ^ view.getInt32(at, true), 0x9e3779b1)
    hash ^= hash >>> 15
  }
  return (hash ^ (hash >>> 13)) & (SLOTS - 1)
}
