/** What repeats from line to line, found by its bytes, so that a field need not become a string. */

/** Fields that are remembered, a power of two; past it, or past so many bytes of each, all are forgotten. */
const MOST = 32_768
const MAX_BYTES_OF_EACH = 128
const FIRST_BYTES = 65_536
/** Longer fields are never remembered. */
const LONGEST = 1024
/** Fields made to share a slot must not make a look-up long. */
const MAX_CHAIN_LENGTH = 8
/** What is kept of an entry: the next one of its slot, where its bytes begin, how many they are, and their hash. */
const ENTRY = 4
const NEXT = 0
const BEGIN = 1
const SIZE = 2
const HASH = 3
/** How many of a field's last bytes choose its slot: browsers write there what distinguishes them. */
const SAMPLED = 40

/**
 * Memory for bytes grows as they come, because many a reader sees a few lines only. Entries are numbered from 1 and
 * chained by slot. What is known of an entry lies side by side, because most look-ups have to wait for the memory.
 */
export class RememberedBytes<Value> {
  readonly #slots: Int32Array
  /** Of each entry ENTRY numbers. */
  readonly #entries: Int32Array
  #bytes = new Uint8Array(FIRST_BYTES)
  #words = new Int32Array(this.#bytes.buffer)
  #values: Value[] = []
  #count = 0
  /** Where the bytes of the next entry begin, a multiple of four. */
  #end = 0
  readonly #read: (field: string) => Value
  readonly #most: number

  /** `read` makes the value of a field (a binary string of its own); `most` is a power of two. */
  constructor(read: (field: string) => Value, most = MOST) {
    this.#read = read
    this.#most = most
    this.#slots = new Int32Array(most)
    this.#entries = new Int32Array(ENTRY * (most + 1))
  }

  /** The value of the field at bytes[start, end), of which `view` is a view; undefined: not to be remembered. */
  of(bytes: Buffer, view: DataView, start: number, end: number): Value | undefined {
    const size = end - start
    const hash = hashOf(view, start, end)
    const slot = hash & (this.#most - 1)
    const entries = this.#entries
    let depth = 0
    for (let entry = this.#slots[slot] as number; entry !== 0; entry = entries[ENTRY * entry + NEXT] as number) {
      const at = ENTRY * entry
      const is_alike = entries[at + HASH] === hash && entries[at + SIZE] === size
      if (is_alike && this.#holds(entries[at + BEGIN] as number, bytes, view, start, end))
        return this.#values[entry - 1]
      depth += 1
    }
    return depth < MAX_CHAIN_LENGTH && size <= LONGEST ? this.#remember(bytes, start, end, hash) : undefined
  }

  #holds(begin: number, bytes: Buffer, view: DataView, start: number, end: number): boolean {
    const words = this.#words
    let word = begin >> 2
    let at = start
    for (const whole = end - 4; at <= whole; at += 4, word += 1) {
      if (view.getInt32(at, true) !== words[word]) return false
    }
    for (let known = word << 2; at < end; at += 1, known += 1) if (bytes[at] !== this.#bytes[known]) return false
    return true
  }

  #remember(bytes: Buffer, start: number, end: number, hash: number): Value {
    const size = end - start
    if (this.#count === this.#most || this.#end + size > MAX_BYTES_OF_EACH * this.#most) this.#forgetAll()
    while (this.#end + size > this.#bytes.length) this.#grow()
    const value = this.#read(bytes.toString('latin1', start, end))
    const slot = hash & (this.#most - 1)
    const entry = ++this.#count
    this.#values.push(value)
    this.#bytes.set(bytes.subarray(start, end), this.#end)
    this.#entries.set([this.#slots[slot] as number, this.#end, size, hash], ENTRY * entry)
    this.#slots[slot] = entry
    this.#end += (size + 3) & ~3
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
    this.#end = 0
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
