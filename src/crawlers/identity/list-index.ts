/** An index that finds the lists which contain an address (decisions 3.3). It is built once per set of versions. */
import type { Address } from './address.ts'
import type { Ranges } from './address-ranges.ts'

export interface ListIndex {
  /** The sets of lists that occur, as ascending positions in the input; the first is empty. */
  readonly sets: readonly (readonly number[])[]
  /** Index in `sets` of the lists that contain the address: at most two binary searches, no allocation. */
  find(address: Address): number
}

/** Builds the index: all ranges are split where any range begins or ends, and each piece has its set of lists. */
export function indexLists(lists: readonly Ranges[]): ListIndex {
  const sets = new SetTable()
  const v4 = sweep(
    lists.map((ranges) => wordsOf(ranges.v4, 1)),
    32n,
    sets,
  )
  const v6 = sweep(
    lists.map((ranges) => wordsOf(ranges.v6, 4)),
    128n,
    sets,
  )
  const starts4 = Uint32Array.from(v4.starts, Number)
  const starts6 = Uint32Array.from(v6.starts.flatMap((start) => [96n, 64n, 32n, 0n].map((by) => low32(start >> by))))
  const sets4 = Uint32Array.from(v4.sets)
  const sets6 = Uint32Array.from(v6.sets)
  return {
    sets: sets.all,
    find: ({ family, words }) =>
      family === 4
        ? (sets4[lastUpTo(starts4, words[3] as number)] as number)
        : (sets6[lastUpTo6(starts6, words)] as number),
  }
}

/** Index of the last start that is not greater than `value`. It exists, because the first start is 0. */
function lastUpTo(starts: Uint32Array, value: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((starts[middle] as number) <= value) low = middle
    else high = middle - 1
  }
  return low
}

function lastUpTo6(starts: Uint32Array, words: Uint32Array): number {
  let low = 0
  let high = starts.length / 4 - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (isUpTo(starts, middle * 4, words)) low = middle
    else high = middle - 1
  }
  return low
}

function isUpTo(starts: Uint32Array, at: number, words: Uint32Array): boolean {
  for (let word = 0; word < 4; word++) {
    const difference = (starts[at + word] as number) - (words[word] as number)
    if (difference !== 0) return difference < 0
  }
  return true
}

interface Pieces {
  starts: bigint[]
  sets: number[]
}

/** Goes through all starts and ends in order, and counts how many ranges of each list are open. */
function sweep(lists: readonly bigint[][], width: bigint, sets: SetTable): Pieces {
  const events: { at: bigint; list: number; opens: 1 | -1 }[] = []
  const end = 1n << width
  lists.forEach((ranges, list) => {
    for (let index = 0; index < ranges.length; index += 2) {
      events.push({ at: ranges[index] as bigint, list, opens: 1 })
      const after = (ranges[index + 1] as bigint) + 1n
      if (after < end) events.push({ at: after, list, opens: -1 })
    }
  })
  events.sort((a, b) => Number(a.at - b.at))
  const open = new Map<number, number>()
  const pieces: Pieces = { starts: [0n], sets: [0] }
  for (let index = 0; index < events.length; ) {
    const { at } = events[index] as (typeof events)[number]
    for (; index < events.length && events[index]?.at === at; index++) {
      const { list, opens } = events[index] as (typeof events)[number]
      const known = open.get(list)
      const count = known === undefined ? opens : known + opens
      if (count === 0) open.delete(list)
      else open.set(list, count)
    }
    const set = sets.of([...open.keys()])
    if (at === 0n) pieces.sets[0] = set
    else if (set !== pieces.sets.at(-1)) {
      pieces.starts.push(at)
      pieces.sets.push(set)
    }
  }
  return pieces
}

class SetTable {
  readonly all: number[][] = [[]]
  readonly #known = new Map<string, number>([['', 0]])

  of(members: number[]): number {
    members.sort((a, b) => a - b)
    const key = members.join(' ')
    const known = this.#known.get(key)
    if (known !== undefined) return known
    this.#known.set(key, this.all.push(members) - 1)
    return this.all.length - 1
  }
}

function wordsOf(words: Uint32Array, each: 1 | 4): bigint[] {
  const values: bigint[] = []
  for (let at = 0; at < words.length; at += each) {
    let value = 0n
    for (let word = 0; word < each; word++) value = (value << 32n) | BigInt(words[at + word] as number)
    values.push(value)
  }
  return values
}

const low32 = (value: bigint) => Number(value & 0xffffffffn)
