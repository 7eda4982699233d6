/** A day that still receives facts is read in pieces of time whose counts are kept. */

/**
 * A piece is read again together with the time after it, unless it is more than this many times as long as that time.
 * So a day has at most six pieces, and all of them together read it twelve times, even if answers begin at midnight.
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
