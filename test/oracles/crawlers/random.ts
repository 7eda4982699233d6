/** Seeded chance (mulberry32): the same seed gives the same history everywhere. */
export interface Chance {
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number
  happens(probability: number): boolean
  one<T>(of: readonly T[]): T
}

export function chance(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    whole,
    happens: (probability) => next() < probability,
    one: (of) => of[whole(0, of.length - 1)] as (typeof of)[number],
  }
}
