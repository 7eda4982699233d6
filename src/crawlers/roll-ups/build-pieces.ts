/** How many rows one insert derives, how many inserts run at once, and how fast those of the open day read. */

/** A range of page ids, both ends included. */
export interface PageNumbers {
  first: bigint
  last: bigint
}

/** With fewer rows, another insert costs more than a second processor saves. */
const MIN_ROWS_OF_TWO = 100_000
/** The most rows that one insert groups within the memory of a statement; two million rows spill to disk. */
const MAX_ROWS = 600_000
/**
 * The most rows that one thread groups in one hash table, within the memory of a statement. More rows are divided into
 * small tables, which can spill to disk, and which take half as long again.
 */
const MAX_ROWS_OF_ONE_TABLE = 1_000_000
/** How many inserts run at once, because one of them sorts and writes with one processor. */
const MAX_CONCURRENT_INSERTS = 2
/**
 * The speed at which a long open day is derived each minute. At full speed, a day of 3 million facts takes one of two
 * processors for four seconds, for which concurrent answers wait.
 */
const SLOW_ROWS_A_SECOND = 400_000
/** Longer days are read within this time, because other days wait, and a statement may take ten minutes only. */
const MAX_SLOW_SECONDS = 60
/** An insert reads each fact for its sums, and again for its source and host. */
const READS_OF_FACTS = 2

/** The number of inserts of about equal length for so many rows: an even number, because two run at once. */
export function pieceCount(row_count: number): number {
  return row_count < MIN_ROWS_OF_TWO
    ? 1
    : MAX_CONCURRENT_INSERTS * Math.ceil(row_count / (MAX_CONCURRENT_INSERTS * MAX_ROWS))
}

/** The rows per second that the insert of an open day with so many facts may read. */
export const slowSpeed = (fact_count: number): number =>
  Math.max(SLOW_ROWS_A_SECOND, Math.ceil((READS_OF_FACTS * fact_count) / MAX_SLOW_SECONDS))

/** Whether so many rows are grouped in one hash table. */
export const fitOneTable = (row_count: number): boolean => row_count <= MAX_ROWS_OF_ONE_TABLE

/** The number of rows of these days together; a day without a known number has none. */
export function rowsOfDays(days: readonly string[], row_counts: ReadonlyMap<string, number>): number {
  return days.reduce((sum, day) => {
    const known = row_counts.get(day)
    return known === undefined ? sum : sum + known
  }, 0)
}

/** Groups days into pieces with about the same number of rows. */
export function piecesOfDays(days: readonly string[], row_counts: ReadonlyMap<string, number>): string[][] {
  const rowsOf = (day: string) => rowsOfDays([day], row_counts)
  const all = rowsOfDays(days, row_counts)
  const pieces = pieceCount(all)
  let before = 0
  const grouped = Map.groupBy(days, (day) => {
    const middle = before + rowsOf(day) / 2
    before += rowsOf(day)
    // Days without rows belong to the piece of the last day with rows before them.
    return all === 0 ? 0 : Math.min(pieces - 1, Math.floor((middle * pieces) / all))
  })
  return [...grouped.values()]
}

const PAGES = 2n ** 64n

/** Divides all page ids into ranges. Ids are hashes, so each range has about the same number of rows. */
export function pageRanges(piece_count: number): PageNumbers[] {
  const count = BigInt(piece_count)
  const startOf = (piece: number) => (PAGES * BigInt(piece)) / count
  return Array.from({ length: piece_count }, (_, piece) => ({ first: startOf(piece), last: startOf(piece + 1) - 1n }))
}

/** Runs two inserts at a time, each as soon as another has ended. A failure is thrown once no insert is running. */
export async function insertTwoAtOnce<T>(pieces: readonly T[], insert: (piece: T) => Promise<void>): Promise<void> {
  let next = 0
  const insertWaiting = async () => {
    try {
      while (next < pieces.length) await insert(pieces[next++] as T)
    } catch (error) {
      // The build is not used after a failure, so no further piece is begun.
      next = pieces.length
      throw error
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: MAX_CONCURRENT_INSERTS }, insertWaiting))
  const failed = ended.find((one) => one.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}
