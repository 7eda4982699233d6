import { type Fragment, list, sql, text } from '#evidence/sql.ts'

/**
 * The end of a statement that sums rows by part: adds a row for each active part of a table, with `zeros` as sums.
 * Empty if `known` is null. ClickHouse chooses the parts that a statement reads before it reads this list.
 */
export const unionActiveParts = (known: readonly string[] | null, table: string, zeros: Fragment): Fragment =>
  known === null
    ? sql``
    : sql`
  UNION ALL
  SELECT name, ${zeros}
  FROM system.parts
  WHERE database = 'spoor' AND table = ${text(table)} AND active`

/** The end of a condition for rows of all parts except these; of all parts if `known` is null. */
export const exceptParts = (known: readonly string[] | null): Fragment =>
  known === null || known.length === 0 ? sql`` : sql`AND _part NOT IN ${list('String', known)}`

/** The name of the part with a row; empty if `known` is null. */
export const nameOfPart = (known: readonly string[] | null): Fragment => (known === null ? sql`''` : sql`_part`)
