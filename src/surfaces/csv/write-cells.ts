/**
 * RFC 4180: CRLF after every record, the header always, quotes where a cell needs them. A cell holds text or nothing;
 * null and the empty string are distinguished by JSON: cells named `value` or `*_json` hold JSON text, `null` spelled
 * out (rules 6).
 */
export type Cells = Readonly<Record<string, string>>

/** One CSV document; a column that a record leaves out is an empty cell. */
export function writeCsv(columns: readonly string[], records: Iterable<Cells>): string {
  let text = line(columns)
  for (const record of records) text += line(columns.map((column) => record[column] ?? ''))
  return text
}

const line = (cells: readonly string[]) => `${cells.map(cell).join(',')}\r\n`

/** Nothing is put before text that a spreadsheet might take for a formula: a lossless form adds nothing (spec 4.1). */
const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** JSON text of a value that passed the contract; a field that is not there has no cell. */
export const json = (value: unknown): string => JSON.stringify(value)
