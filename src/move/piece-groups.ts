/** Pieces by what names them, compared, and cut into groups that one statement takes. */
import { EvidenceError } from '#evidence/errors.ts'
import type { PartNames } from './changed-parts.ts'
import { dayOf, type MovedTable } from './moved-tables.ts'
import type { Piece, PiecePrint } from './pieces.sql.ts'

/** By the name of the piece. */
export type Prints = Map<string, PiecePrint>

export const ROWS_AT_ONCE = 200_000
const PIECES_AT_ONCE = 3_000

/** A text that identifies a piece. */
export const nameOfPiece = (key: Piece): string => JSON.stringify(key)

/** Whether two prints are of equal rows. */
export const isSamePrint = (one: PiecePrint | undefined, other: PiecePrint | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.rows === other.rows &&
  one.total === other.total &&
  one.hash === other.hash

/** All rows of these pieces. */
export function rowsOfPrints(prints: Iterable<Pick<PiecePrint, 'rows'>>): number {
  let sum = 0
  for (const { rows } of prints) sum += rows
  return sum
}

/** Pieces that one statement and one insert take, of one month, because an insert has one partition. */
export function* inGroups(of: MovedTable, pieces: readonly { key: Piece; rows: number }[]): Generator<Piece[]> {
  const day = of.keys.findIndex(({ type }) => type === 'Date')
  for (const each of Map.groupBy(pieces, ({ key }) => key[day]?.slice(0, 7)).values()) {
    let group: Piece[] = []
    let rows = 0
    for (const piece of each) {
      if (group.length > 0 && (group.length >= PIECES_AT_ONCE || rows + piece.rows > ROWS_AT_ONCE)) {
        yield group
        group = []
        rows = 0
      }
      group.push(piece.key)
      rows += piece.rows
    }
    if (group.length > 0) yield group
  }
}

/** The same of pieces of which it is not known how many rows they have. */
export const groupsOfPieces = (of: MovedTable, keys: readonly Piece[]): Generator<Piece[]> =>
  inGroups(
    of,
    keys.map((key) => ({ key, rows: 0 })),
  )

/** Every month that either has rows of; null: the whole table. */
export function monthsOf(of: MovedTable, ...parts: readonly PartNames[]): (number | null)[] {
  if (dayOf(of) === null) return [null]
  const partitions = new Set(parts.flatMap((known) => [...(known.get(of.name)?.keys() ?? [])]))
  return [...partitions].sort().map((partition) => monthOfPartition(of, partition))
}

/** The month of a partition, `YYYYMM`; null for a table that is not partitioned by month. */
export function monthOfPartition(of: MovedTable, partition: string): number | null {
  if (dayOf(of) === null) return null
  if (/^\d{6}$/.test(partition)) return Number(partition)
  throw new EvidenceError('bug', `The partition ${partition} of ${of.name} is not a month.`)
}
