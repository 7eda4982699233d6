/** What a move asks of both stores: which parts there are, what pieces hold, and their rows (decisions 8.2). */
import Type, { type Static } from 'typebox'
import { Fragment } from '#evidence/fragment.ts'
import { and, count, list, rows, type Fragment as Sql, sql, tuples, uint } from '#evidence/sql.ts'
import { dayOf, type MovedTable, type PieceKey } from './moved-tables.ts'

/** The values of a piece's keys, in the order of the table's. */
export type Piece = readonly string[]

const Print = Type.Object({
  key: Type.Array(Type.String()),
  rows: count(),
  /** Decimal text: it may pass 2^53. */
  total: Type.String(),
  hash: Type.String(),
})
/** What two stores must agree on for a piece: rows, their sum, and a hash over every column of them. */
export type PiecePrint = Static<typeof Print>

export interface TableColumn {
  name: string
  type: string
}

/** The columns that rows are given with, of all tables. */
export const columnsOfTables = rows(Type.Object({ table: Type.String(), name: Type.String(), type: Type.String() }))`
  SELECT table, name, type
  FROM system.columns
  WHERE database = 'spoor' AND default_kind NOT IN ('MATERIALIZED', 'ALIAS')
  ORDER BY table, position`

/** Files of rows, which are never changed: what is added or deleted makes new ones. */
export const storedParts = rows(
  Type.Object({ table: Type.String(), partition: Type.String(), name: Type.String(), rows: count(), bytes: count() }),
)`
  SELECT table, partition_id AS partition, name, rows, bytes_on_disk AS bytes
  FROM system.parts
  WHERE database = 'spoor' AND active
  ORDER BY table, partition, name`

/** The pieces that files hold rows of. */
export const piecesInParts = (of: MovedTable, parts: readonly string[]) =>
  rows(Type.Object({ key: Type.Array(Type.String()) }))`
  SELECT ${texts(of.keys)} AS key
  FROM ${of.table}
  WHERE _part IN ${list('String', parts)}
  GROUP BY ${expressions(of.keys)}`

/** The print of each piece of a table. */
export const piecePrints = (of: MovedTable, columns: readonly TableColumn[], where: Sql) => rows(Print)`
  SELECT ${texts(of.keys)} AS key, count() AS rows, toString(sum(${of.sum})) AS total,
    toString(sum(cityHash64(${hashed(columns)}))) AS hash
  FROM ${of.table}${of.is_replacing ? sql` FINAL` : sql``}
  WHERE ${where}
  GROUP BY ${expressions(of.keys)}`

/** All rows of these pieces. */
export const rowsOfPieces = (of: MovedTable, columns: readonly TableColumn[], pieces: readonly Piece[]): Sql => sql`
  SELECT ${joined(columns.map(({ name }) => plain(name)))}
  FROM ${of.table}${of.is_replacing ? sql` FINAL` : sql``}
  WHERE ${isOfPieces(of, pieces)}`

/** Deletes the rows of these pieces. */
export const deletePieces = (of: MovedTable, pieces: readonly Piece[]): Sql => sql`
  DELETE FROM ${of.table} WHERE ${isOfPieces(of, pieces)}`

/** `month`: of a partition, such as 202601; null where a table is one. */
export const isOfMonth = (of: MovedTable, month: number | null): Sql => {
  const day = dayOf(of)
  return day === null || month === null ? sql`1` : sql`toYYYYMM(${day}) = ${uint(month)}`
}

/** Single keys beside the whole ones: the engine finds rows by them. */
export function isOfPieces({ keys }: MovedTable, pieces: readonly Piece[]): Sql {
  const single = keys.flatMap(({ expression, type }, at) =>
    type === 'UUID' || type === 'Date'
      ? [sql`${expression} IN ${list(type, [...new Set(pieces.map((piece) => piece[at] as string))])}`]
      : [],
  )
  const type = `Tuple(${keys.map((key) => key.type).join(', ')})` as const
  return and([...single, sql`(${expressions(keys)}) IN ${tuples(type, pieces)}`])
}

/** TRICKY: hashes of nothing are nothing, and maps have none: both are hashed as text. */
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
