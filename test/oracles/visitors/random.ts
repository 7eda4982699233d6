/** A small generator of random numbers: the same seed gives the same history on every machine. */
export interface Random {
  /** A number from 0 up to 1. */
  next(): number
  /** A whole number, both ends included. */
  int(from: number, to: number): number
  /** True this often, from 0 to 1. */
  chance(share: number): boolean
  pick<T>(list: readonly T[]): T
}

export function seeded(seed: number): Random {
  let state = (seed * 2_654_435_761) >>> 0
  // Mulberry32.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    next,
    int,
    chance: (share) => next() < share,
    pick<T>(list: readonly T[]): T {
      const picked = list[int(0, list.length - 1)]
      if (picked === undefined) throw new Error('nothing to pick from')
      return picked
    },
  }
}
