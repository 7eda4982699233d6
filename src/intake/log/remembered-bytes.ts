/** Caches values of fields that repeat from line to line, by the bytes of the field, which need not become a string. */

/** The most cached fields, a power of two. Beyond it, or beyond so many bytes for each, the cache is cleared. */
const MAX_FIELDS = 32_768
const MAX_BYTES_OF_EACH = 128
const FIRST_BYTES = 65_536
/** Longer fields are not cached. */
const MAX_FIELD_LENGTH = 1024
/** Bounds a look-up if fields were made to share a slot. */
const MAX_CHAIN_LENGTH = 8
/** The numbers of an entry: the next entry of its slot, the offset of its bytes, their number, and their hash. */
const ENTRY = 4
const NEXT = 0
const BEGIN = 1
const SIZE = 2
const HASH = 3
/** The slot depends on so many last bytes of a field, in which browsers differ. */
const SAMPLED = 40

/**
 * The memory for bytes grows on demand, because many readers read few lines. Entries are numbered from 1 and chained by
 * slot. The numbers of an entry are next to each other, because most look-ups wait for memory.
 */
export class RememberedBytes<Value> {
  readonly #slots: Int32Array
  /** ENTRY numbers for each entry. */
  readonly #entries: Int32Array
  #bytes = new Uint8Array(FIRST_BYTES)
  #words = new Int32Array(this.#bytes.buffer)
  #values: Value[] = []
  #count = 0
  /** Offset of the bytes of the next entry, a multiple of four. */
  #end = 0
  readonly #read: (field: string) => Value
  readonly #max_fields: number

  /** `read` computes the value of a field (a binary string of its own); `max_fields` is a power of two. */
  constructor(read: (field: string) => Value, max_fields = MAX_FIELDS) {
    this.#read = read
    this.#max_fields = max_fields
    this.#slots = new Int32Array(max_fields)
    this.#entries = new Int32Array(ENTRY * (max_fields + 1))
  }

  /** The value of the field at bytes[start, end), of which `view` is a view; undefined: the field is not cached. */
  of(bytes: Buffer, view: DataView, start: number, end: number): Value | undefined {
    const size = end - start
    const hash = hashOf(view, start, end)
    const slot = hash & (this.#max_fields - 1)
    const entries = this.#entries
    let depth = 0
    for (let entry = this.#slots[slot] as number; entry !== 0; entry = entries[ENTRY * entry + NEXT] as number) {
      const at = ENTRY * entry
      const is_alike = entries[at + HASH] === hash && entries[at + SIZE] === size
      if (is_alike && this.#holds(entries[at + BEGIN] as number, bytes, view, start, end))
        return this.#values[entry - 1]
      depth += 1
    }
    return depth < MAX_CHAIN_LENGTH && size <= MAX_FIELD_LENGTH ? this.#add(bytes, start, end, hash) : undefined
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

  #add(bytes: Buffer, start: number, end: number, hash: number): Value {
    const size = end - start
    if (this.#count === this.#max_fields || this.#end + size > MAX_BYTES_OF_EACH * this.#max_fields) this.#clear()
    while (this.#end + size > this.#bytes.length) this.#grow()
    const value = this.#read(bytes.toString('latin1', start, end))
    const slot = hash & (this.#max_fields - 1)
    const entry = ++this.#count
    this.#values.push(value)
    this.#bytes.set(bytes.subarray(start, end), this.#end)
    this.#entries.set([this.#slots[slot] as number, this.#end, size, hash], ENTRY * entry)
    this.#slots[slot] = entry
    this.#end += (size + 3) & ~3
    return value
  }

  #grow(): void {
    const grown = new Uint8Array(Math.min(4 * this.#bytes.length, MAX_BYTES_OF_EACH * this.#max_fields))
    grown.set(this.#bytes)
    this.#bytes = grown
    this.#words = new Int32Array(grown.buffer)
  }

  #clear(): void {
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
