export type RowValue = string | number | null | readonly (string | number)[]

/**
 * Rows as the evidence store's `insert` takes them: one JSON array a line, values in the order of the table's columns.
 * 64- and 128-bit integers are decimal text, instants `YYYY-MM-DD hh:mm:ss.mmm` in UTC, unknown values null.
 */
export function jsonRows(rows: readonly (readonly RowValue[])[]): Uint8Array {
  return Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
}
