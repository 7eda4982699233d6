import Type from 'typebox'
import { type Fragment, list, rows, sql, text } from '#evidence/sql.ts'

/** The parts that hold the rows of a table now. */
export const activeParts = (table: string) => rows(Type.Object({ name: Type.String() }))`
  SELECT name
  FROM system.parts
  WHERE database = 'spoor' AND table = ${text(table)} AND active`

/** The end of a condition: rows of other parts than these; of all of them for null. */
export const butParts = (known: readonly string[] | null): Fragment =>
  known === null || known.length === 0 ? sql`` : sql`AND _part NOT IN ${list('String', known)}`

/** The name of the part that holds a row; empty where none are known apart. */
export const nameOfPart = (known: readonly string[] | null): Fragment => (known === null ? sql`''` : sql`_part`)
