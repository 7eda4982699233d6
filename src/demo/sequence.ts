/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function sequence(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** One of the choices, each as likely as its weight says. `draw` is in [0, 1). */
export function weighted<T>(choices: readonly (readonly [choice: T, weight: number])[], draw: number): T {
  const all = choices.reduce((sum, [, weight]) => sum + weight, 0)
  let left = draw * all
  for (const [choice, weight] of choices) {
    left -= weight
    if (left < 0) return choice
  }
  throw new RangeError('a draw lies in [0, 1), and weights are positive')
}
