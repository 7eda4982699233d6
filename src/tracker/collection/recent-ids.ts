/**
 * Recently received ids in bounded memory: Bloom filters, which recognise nearly every new id without a look-up (rules
 * 6, decision 0018). The ids of six hours share filters; when one is full, a larger one is added.
 */
import { HOUR_MS } from '#clock.ts'

/** The low 64 bits of an event's id, which is a digest: uniform, whatever senders choose. */
export type IdHash = readonly [high: number, low: number]

/** The hash of an id, from the hexadecimal digest from which the id was made. */
export const idHashOfHex = (hex: string): IdHash => [
  Number.parseInt(hex.slice(16, 24), 16),
  Number.parseInt(hex.slice(24, 32), 16),
]

/** The hash of an id as it is written in rows, decimal. */
export function idHashOf(id: string): IdHash {
  const low = BigInt.asUintN(64, BigInt(id))
  return [Number(low >> 32n), Number(low & 0xffff_ffffn)]
}

const FIRST_ROOM = 256

/** Hashes in the order in which they were added, as numbers, so that the garbage collector has no objects to trace. */
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
  /** False if the id was certainly not received within 72 hours, else true. Adds it to the ids of `at`. */
  testAndAdd(id: IdHash, at: number): boolean
  /** Adds an id without testing it. */
  add(id: IdHash, at: number): void
  /** Forgets ids that were received some hours before an instant, or earlier. */
  forgetBefore(at: number): void
  /** False if the filter may lack ids that were received before `at`: it must first be filled from the store. */
  isReady(at: number): boolean
  /** Empties the filter before it is filled. It is not ready until `end`, so a failed fill is repeated. */
  begin(at: number): void
  /** Call it once all earlier ids are added. */
  end(): void
  /** The memory of the filters. */
  bytes(): number
}

/**
 * A filter that answers true for every id, so that each is looked up in the store: with several nodes, the memory of
 * one lacks the ids that the others stored.
 */
export const noIdFilter = (): RecentEventIds => ({
  testAndAdd: () => true,
  add() {},
  forgetBefore() {},
  isReady: () => true,
  begin() {},
  end() {},
  bytes: () => 0,
})

/** The ids of such a time span share filters, and are forgotten together. */
const SPAN_MS = 6 * HOUR_MS
/** Bits of the first filter of a span; each further one has four times as many. All are powers of two. */
const FIRST_BITS = 2 ** 17
const MAX_BITS = 2 ** 25
/** With this many bits per id and probes, a full filter has one false positive in 24,000 tests. */
const BITS_PER_ID = 24
const PROBES = 8
const MAX_BYTES = 48 * 2 ** 20

interface Filter {
  words: Uint32Array
  /** How many ids it may take before another is begun. */
  room: number
}

/** At `max_bytes`, the newest filter takes all further ids: it has more false positives, but never misses an id. */
export function openRecentIds(max_bytes = MAX_BYTES): RecentEventIds {
  /** By number of the span; the last filter of a span is the newest. */
  let spans = new Map<number, Filter[]>()
  let bytes = 0
  let newest_hour = Number.NEGATIVE_INFINITY
  let is_filled = false

  const openFilter = (bits: number): Filter => {
    bytes += bits / 8
    return { words: new Uint32Array(bits / 32), room: Math.floor(bits / BITS_PER_ID) }
  }
  /** The filter that ids of this span are added to. */
  const filterOf = (span: number): Filter => {
    let filters = spans.get(span)
    if (filters === undefined) {
      filters = [openFilter(FIRST_BITS)]
      spans.set(span, filters)
    }
    const last = filters.at(-1) as Filter
    if (last.room > 0) return last
    const bits = Math.min(MAX_BITS, last.words.length * 32 * 4)
    if (bytes + bits / 8 > max_bytes) return last
    const next = openFilter(bits)
    filters.push(next)
    return next
  }
  const put = (id: IdHash, at: number) => {
    newest_hour = Math.max(newest_hour, Math.floor(at / HOUR_MS))
    const filter = filterOf(Math.floor(at / SPAN_MS))
    addTo(filter.words, id)
    filter.room--
  }
  return {
    testAndAdd(id, at) {
      let is_known = false
      for (const filters of spans.values()) {
        for (const { words } of filters) is_known ||= holds(words, id)
      }
      put(id, at)
      return is_known
    },
    add: put,
    forgetBefore(at) {
      // One more span is kept in case the clock is set back a little.
      const oldest = Math.floor(at / SPAN_MS) - 1
      for (const [span, filters] of spans) {
        if (span >= oldest) continue
        spans.delete(span)
        for (const { words } of filters) bytes -= words.byteLength
      }
    },
    // If the clock was set back, ids that are needed again may have been forgotten.
    isReady: (at) => is_filled && Math.floor(at / HOUR_MS) >= newest_hour - 1,
    begin(at) {
      spans = new Map()
      bytes = 0
      newest_hour = Math.floor(at / HOUR_MS)
      is_filled = false
    },
    end() {
      is_filled = true
    },
    bytes: () => bytes,
  }
}

function holds(words: Uint32Array, [high, low]: IdHash): boolean {
  const mask = words.length * 32 - 1
  const step = high | 1
  for (let probe = 0, place = low; probe < PROBES; probe++, place = (place + step) >>> 0) {
    const bit = place & mask
    if (((words[bit >>> 5] as number) & (1 << (bit & 31))) === 0) return false
  }
  return true
}

function addTo(words: Uint32Array, [high, low]: IdHash): void {
  const mask = words.length * 32 - 1
  const step = high | 1
  for (let probe = 0, place = low; probe < PROBES; probe++, place = (place + step) >>> 0) {
    const bit = place & mask
    words[bit >>> 5] = (words[bit >>> 5] as number) | (1 << (bit & 31))
  }
}
