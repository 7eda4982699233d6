/** Compares pieces, and divides them into groups for one statement each. */
import { EvidenceError } from '#evidence/errors.ts'
import type { PartNames } from './changed-parts.ts'
import { dayOf, type MovedTable } from './moved-tables.ts'
import type { Piece, PieceFingerprint } from './pieces.sql.ts'

/** Fingerprints by the name of the piece. */
export type Fingerprints = Map<string, PieceFingerprint>

export const ROWS_AT_ONCE = 200_000
const PIECES_AT_ONCE = 3_000

/** A text that identifies a piece. */
export const nameOfPiece = (key: Piece): string => JSON.stringify(key)

/** Whether two fingerprints are equal; a missing one is equal to no other. */
export const isSameFingerprint = (one: PieceFingerprint | undefined, other: PieceFingerprint | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.rows === other.rows &&
  one.total === other.total &&
  one.hash === other.hash

/** The number of rows of these pieces. */
export function rowsOfFingerprints(fingerprints: Iterable<Pick<PieceFingerprint, 'rows'>>): number {
  let sum = 0
  for (const { rows } of fingerprints) sum += rows
  return sum
}

/** Groups of pieces for one statement and one insert: of one month, because an insert has one partition. */
export function* inGroups(moved: MovedTable, pieces: readonly { key: Piece; rows: number }[]): Generator<Piece[]> {
  const day = moved.keys.findIndex(({ type }) => type === 'Date')
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

/** The groups of pieces whose numbers of rows are unknown. */
export const groupsOfPieces = (moved: MovedTable, keys: readonly Piece[]): Generator<Piece[]> =>
  inGroups(
    moved,
    keys.map((key) => ({ key, rows: 0 })),
  )

/** Every month of which one of the stores has rows; null: the whole table. */
export function monthsOf(moved: MovedTable, ...parts: readonly PartNames[]): (number | null)[] {
  if (dayOf(moved) === null) return [null]
  const partitions = new Set(parts.flatMap((known) => [...(known.get(moved.name)?.keys() ?? [])]))
  return [...partitions].sort().map((partition) => monthOfPartition(moved, partition))
}

/** The month of a partition, `YYYYMM`; null for a table that is not partitioned by month. */
export function monthOfPartition(moved: MovedTable, partition: string): number | null {
  if (dayOf(moved) === null) return null
  if (/^\d{6}$/.test(partition)) return Number(partition)
  throw new EvidenceError('bug', `The partition ${partition} of ${moved.name} is not a month.`)
}
