/** A day that still receives facts is read in time intervals (pieces) whose counts are cached. */

/**
 * A piece is merged with the time after it, and read again, unless it is more than this many times as long as that
 * time. So a day has at most six pieces, and its facts are read at most twelve times in all, even if answers begin at
 * midnight.
 */
const MAX_LENGTH_RATIO = 4

/** The pieces that stay before a new one that ends at `to`. `start` is the start of the day, epoch milliseconds. */
export function piecesBefore<P extends { to: number }>(pieces: readonly P[], start: number, to: number): P[] {
  const before = [...pieces]
  for (let last = before.pop(); last !== undefined; last = before.pop()) {
    const length = last.to - (before.at(-1)?.to ?? start)
    if (length > MAX_LENGTH_RATIO * (to - last.to)) return [...before, last]
  }
  return []
}
