/** How much is derived by one insert, and how many inserts run at once. */

/** Pages by number, both ends with them. */
export interface PageNumbers {
  first: bigint
  last: bigint
}

/** Below this, one more insert costs more than a second processor saves. */
const WORTH_TWO = 100_000
/** Grouping this many rows keeps to the memory of a statement; with two million it spills to disk. */
const MAX_ROWS = 600_000
/** An insert sorts and writes with one processor. */
const AT_ONCE = 2

/** Into how many inserts about equally long so many rows are divided: into pairs, which run at once. */
export function pieceCount(row_count: number): number {
  return row_count < WORTH_TWO ? 1 : AT_ONCE * Math.ceil(row_count / (AT_ONCE * MAX_ROWS))
}

/** Days put together so that each piece has about as many rows; days of which no number is known have none. */
export function piecesOfDays(days: readonly string[], row_counts: ReadonlyMap<string, number>): string[][] {
  const of = (day: string) => {
    const known = row_counts.get(day)
    return known === undefined ? 0 : known
  }
  const all = days.reduce((sum, day) => sum + of(day), 0)
  const pieces = pieceCount(all)
  let before = 0
  const grouped = Map.groupBy(days, (day) => {
    const middle = before + of(day) / 2
    before += of(day)
    // Days without rows after the last one with some belong to its piece.
    return all === 0 ? 0 : Math.min(pieces - 1, Math.floor((middle * pieces) / all))
  })
  return [...grouped.values()]
}

const PAGES = 2n ** 64n

/** All pages, in so many ranges: their numbers are hashes, so each has about as many rows. */
export function pageRanges(piece_count: number): PageNumbers[] {
  const count = BigInt(piece_count)
  const startOf = (piece: number) => (PAGES * BigInt(piece)) / count
  return Array.from({ length: piece_count }, (_, piece) => ({ first: startOf(piece), last: startOf(piece + 1) - 1n }))
}

/** Runs inserts two at a time; a failure is thrown once none of them runs any more. */
export async function insertInPairs<T>(pieces: readonly T[], insert: (piece: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < pieces.length; at += AT_ONCE) {
    const ended = await Promise.allSettled(pieces.slice(at, at + AT_ONCE).map(insert))
    const failed = ended.find((one) => one.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
}
