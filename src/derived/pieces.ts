/** A day whose facts arrive is read in pieces of time that are kept. */

/**
 * A piece is read again, together with the time after it, unless it is more than so many times as long as that time. So
 * there are six at most, and together they read a day twelve times, also where answers are asked for from midnight on.
 */
const MAX_TIMES_LONGER = 4

/** The pieces that stay before a new one that ends at `to`; `start`: of the day, epoch milliseconds. */
export function piecesBefore<P extends { to: number }>(pieces: readonly P[], start: number, to: number): P[] {
  const before = [...pieces]
  for (let last = before.pop(); last !== undefined; last = before.pop()) {
    const length = last.to - (before.at(-1)?.to ?? start)
    if (length > MAX_TIMES_LONGER * (to - last.to)) return [...before, last]
  }
  return []
}
