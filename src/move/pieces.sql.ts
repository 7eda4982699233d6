/** Statements of a move on both stores: parts, fingerprints of pieces, and rows of pieces (decisions 8.2). */
import Type, { type Static } from 'typebox'
import { Fragment } from '#evidence/fragment.ts'
import { and, count, list, rows, type Fragment as Sql, sql, tuples, uint } from '#evidence/sql.ts'
import { dayOf, type MovedTable, type PieceKey } from './moved-tables.ts'

/** The values of a piece's keys, in the order of the table's keys. */
export type Piece = readonly string[]

const Fingerprint = Type.Object({
  key: Type.Array(Type.String()),
  rows: count(),
  /** Decimal text, because it may exceed 2^53. */
  total: Type.String(),
  hash: Type.String(),
})
/** The fingerprint of a piece, equal in both stores if its rows are: their number, a sum, a hash of every column. */
export type PieceFingerprint = Static<typeof Fingerprint>

export interface TableColumn {
  name: string
  type: string
}

/** The stored columns of all tables. */
export const columnsOfTables = rows(Type.Object({ table: Type.String(), name: Type.String(), type: Type.String() }))`
  SELECT table, name, type
  FROM system.columns
  WHERE database = 'spoor' AND default_kind NOT IN ('MATERIALIZED', 'ALIAS')
  ORDER BY table, position`

/** The parts (files) of all tables. A part never changes: inserts and deletions create new ones. */
export const storedParts = rows(
  Type.Object({ table: Type.String(), partition: Type.String(), name: Type.String(), rows: count(), bytes: count() }),
)`
  SELECT table, partition_id AS partition, name, rows, bytes_on_disk AS bytes
  FROM system.parts
  WHERE database = 'spoor' AND active
  ORDER BY table, partition, name`

/** The pieces of the rows in these parts. */
export const piecesInParts = (moved: MovedTable, parts: readonly string[]) =>
  rows(Type.Object({ key: Type.Array(Type.String()) }))`
  SELECT ${texts(moved.keys)} AS key
  FROM ${moved.table}
  WHERE _part IN ${list('String', parts)}
  GROUP BY ${expressions(moved.keys)}`

/** The fingerprint of each piece of a table. */
export const pieceFingerprints = (moved: MovedTable, columns: readonly TableColumn[], where: Sql) => rows(Fingerprint)`
  SELECT ${texts(moved.keys)} AS key, count() AS rows, toString(sum(${moved.sum})) AS total,
    toString(sum(cityHash64(${hashed(columns)}))) AS hash
  FROM ${moved.table}${moved.is_replacing ? sql` FINAL` : sql``}
  WHERE ${where}
  GROUP BY ${expressions(moved.keys)}`

/** All rows of these pieces. */
export const rowsOfPieces = (moved: MovedTable, columns: readonly TableColumn[], pieces: readonly Piece[]): Sql => sql`
  SELECT ${joined(columns.map(({ name }) => plain(name)))}
  FROM ${moved.table}${moved.is_replacing ? sql` FINAL` : sql``}
  WHERE ${isOfPieces(moved, pieces)}`

/** Deletes the rows of these pieces. */
export const deletePieces = (moved: MovedTable, pieces: readonly Piece[]): Sql => sql`
  DELETE FROM ${moved.table} WHERE ${isOfPieces(moved, pieces)}`

/** A condition for a month such as 202601; null: the whole table. */
export const isOfMonth = (moved: MovedTable, month: number | null): Sql => {
  const day = dayOf(moved)
  return day === null || month === null ? sql`1` : sql`toYYYYMM(${day}) = ${uint(month)}`
}

/** A condition for these pieces. It also lists single keys, by which the engine finds rows. */
export function isOfPieces({ keys }: MovedTable, pieces: readonly Piece[]): Sql {
  const single = keys.flatMap(({ expression, type }, at) =>
    type === 'UUID' || type === 'Date'
      ? [sql`${expression} IN ${list(type, [...new Set(pieces.map((piece) => piece[at] as string))])}`]
      : [],
  )
  const type = `Tuple(${keys.map((key) => key.type).join(', ')})` as const
  return and([...single, sql`(${expressions(keys)}) IN ${tuples(type, pieces)}`])
}

/** TRICKY: the hash of a null is null, and maps cannot be hashed: both are hashed as text. */
function hashed(columns: readonly TableColumn[]): Sql {
  const each = columns.flatMap(({ name, type }) => {
    const column = plain(name)
    if (/\bNullable\(/.test(type)) return [sql`isNull(${column})`, sql`ifNull(toString(${column}), '')`]
    return [/\bMap\(/.test(type) ? sql`toString(${column})` : column]
  })
  return joined(each)
}

const texts = (keys: readonly PieceKey[]): Sql =>
  sql`[${joined(keys.map(({ expression }) => sql`toString(${expression})`))}]`
const expressions = (keys: readonly PieceKey[]): Sql => joined(keys.map(({ expression }) => expression))

/** Names of columns come from the engine itself. */
const plain = (name: string): Sql => new Fragment([`\`${name}\``])

const joined = (each: readonly Sql[]): Sql => each.reduce((all, one) => sql`${all}, ${one}`)
