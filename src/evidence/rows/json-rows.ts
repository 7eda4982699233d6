export type RowValue = string | number | null | readonly (string | number)[]

/**
 * Rows as the evidence store's `insert` takes them: one JSON array a line, values in the order of the table's columns.
 * 64- and 128-bit integers are decimal text, instants `YYYY-MM-DD hh:mm:ss.mmm` in UTC, unknown values null.
 */
export function jsonRows(rows: readonly (readonly RowValue[])[]): Uint8Array {
  return Buffer.from(rows.map((row) => `${JSON.stringify(row.map(wellFormed))}\n`).join(''))
}

/**
 * TRICKY: JSON has half of a surrogate pair as an escape, for which the engine refuses all rows of the insert ("half of
 * a character is replaced"). U+FFFD takes its place, so that offsets into the text stay true.
 */
function wellFormed(value: RowValue): RowValue {
  if (typeof value === 'string') return value.toWellFormed()
  return typeof value === 'object' && value !== null
    ? value.map((each) => (typeof each === 'string' ? each.toWellFormed() : each))
    : value
}
