import { type Fragment, list, sql, text } from '#evidence/sql.ts'

/**
 * The end of a statement that sums rows by part: the parts that hold the rows of a table now, `zeros` beside each name.
 * Empty where none are known apart. The engine chooses the parts that a statement reads before it reads this list.
 */
export const andActiveParts = (known: readonly string[] | null, table: string, zeros: Fragment): Fragment =>
  known === null
    ? sql``
    : sql`
  UNION ALL
  SELECT name, ${zeros}
  FROM system.parts
  WHERE database = 'spoor' AND table = ${text(table)} AND active`

/** The end of a condition: rows of other parts than these; of all of them for null. */
export const butParts = (known: readonly string[] | null): Fragment =>
  known === null || known.length === 0 ? sql`` : sql`AND _part NOT IN ${list('String', known)}`

/** The name of the part that holds a row; empty where none are known apart. */
export const nameOfPart = (known: readonly string[] | null): Fragment => (known === null ? sql`''` : sql`_part`)
