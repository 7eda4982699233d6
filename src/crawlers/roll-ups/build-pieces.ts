/** How much is derived by one insert, how many inserts run at once, and how fast those of the open day read. */

/** Pages by number, both ends with them. */
export interface PageNumbers {
  first: bigint
  last: bigint
}

/** Below this, one more insert costs more than a second processor saves. */
const WORTH_TWO = 100_000
/** Grouping this many rows keeps to the memory of a statement; with two million it spills to disk. */
const MAX_ROWS = 600_000
/**
 * Up to so many rows one thread groups in one table, within the memory of a statement. More are divided into small
 * tables, which can be spilled to disk, and that takes half as long again.
 */
const MAX_ROWS_OF_ONE_TABLE = 1_000_000
/** An insert sorts and writes with one processor. */
const AT_ONCE = 2
/**
 * How fast a long open day is derived each minute. At full speed, a day of 3 million facts takes one of two processors
 * for four seconds, and answers that are read meanwhile wait for it.
 */
const SLOW_ROWS_A_SECOND = 400_000
/** A longer day is read in this time, because other days wait for it, and a statement may take ten minutes only. */
const MAX_SLOW_SECONDS = 60
/** An insert reads each fact for its sums, and again for its source and host. */
const READS_OF_FACTS = 2

/** Into how many inserts about equally long so many rows are divided: into pairs, which run at once. */
export function pieceCount(row_count: number): number {
  return row_count < WORTH_TWO ? 1 : AT_ONCE * Math.ceil(row_count / (AT_ONCE * MAX_ROWS))
}

/** How many rows a second the insert of an open day with so many facts reads. */
export const slowSpeed = (fact_count: number): number =>
  Math.max(SLOW_ROWS_A_SECOND, Math.ceil((READS_OF_FACTS * fact_count) / MAX_SLOW_SECONDS))

/** Whether so many rows are grouped in one table. */
export const areForOneTable = (row_count: number): boolean => row_count <= MAX_ROWS_OF_ONE_TABLE

/** How many rows some days have together; days of which no number is known have none. */
export function rowsOfDays(days: readonly string[], row_counts: ReadonlyMap<string, number>): number {
  return days.reduce((sum, day) => {
    const known = row_counts.get(day)
    return known === undefined ? sum : sum + known
  }, 0)
}

/** Days put together so that each piece has about as many rows. */
export function piecesOfDays(days: readonly string[], row_counts: ReadonlyMap<string, number>): string[][] {
  const of = (day: string) => rowsOfDays([day], row_counts)
  const all = rowsOfDays(days, row_counts)
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

/** Runs inserts two at a time, each as soon as one has ended; a failure is thrown once none of them runs any more. */
export async function insertTwoAtOnce<T>(pieces: readonly T[], insert: (piece: T) => Promise<void>): Promise<void> {
  let next = 0
  const insertWaiting = async () => {
    try {
      while (next < pieces.length) await insert(pieces[next++] as T)
    } catch (error) {
      // The build can count no more, so no further piece is begun.
      next = pieces.length
      throw error
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, insertWaiting))
  const failed = ended.find((one) => one.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}
