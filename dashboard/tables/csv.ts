/** Rows as CSV (RFC 4180). `null` is written out, so that it is not read as an empty value or zero. */
import type { Meta } from '../../src/contract/site-api/index.ts'
import type { TrackerEnvelope } from '../evidence/tracker-sentences.ts'
import type { Column } from './table-types.ts'

export type Cell = string | number | boolean | null

/**
 * The rows as shown, with what the answer says about its evidence in the first columns. `day`: the only day of the
 * window that the rows count.
 */
export function csvOf<Row>(
  meta: Meta,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  day: string | null = null,
): string {
  return written(
    [
      ['as_of', meta.as_of],
      ['window_from', meta.window.from],
      ['window_to', meta.window.to],
      ['coverage_state', meta.coverage_state],
      ['data_through', meta.data_through],
      ['gaps', gapsText(meta.gaps)],
      ['purpose_filter', meta.purpose_filter.join(' ')],
      ['registry_version', meta.registry_version],
      ...(day === null ? [] : [['date', day] as [string, Cell]]),
    ],
    columns,
    rows,
  )
}

/** The same of rows about visitors. */
export const csvOfTracker = <Row>(meta: TrackerEnvelope, columns: readonly Column<Row>[], rows: readonly Row[]) =>
  written(
    [
      ['as_of', meta.as_of],
      ['window_from', meta.window.from],
      ['window_to', meta.window.to],
      ['measurement_state', meta.measurement_state],
      ['data_through', meta.data_through],
      ['gaps', gapsText(meta.completeness.gaps)],
      ['limitations', meta.completeness.limitations.join(' ')],
    ],
    columns,
    rows,
  )

/** Without these, a day that is in no row would look like a day without requests. */
const gapsText = (gaps: readonly { from: string; to: string }[]): string =>
  gaps.map(({ from, to }) => `${from}/${to}`).join(' ')

/** The same with other evidence in the first columns, such as the dates of a brand's report. */
export function written<Row>(
  evidence: readonly [string, Cell][],
  columns: readonly Column<Row>[],
  rows: readonly Row[],
) {
  const fields = columns.flatMap(({ csv }) => (csv === undefined ? [] : [csv].flat()))
  const head = [...evidence.map(([name]) => name), ...fields.map(({ name }) => name)]
  const lines = rows.map((row) => [...evidence.map(([, value]) => value), ...fields.map(({ value }) => value(row))])
  return csvText([head, ...lines])
}

export const csvText = (lines: readonly (readonly Cell[])[]): string =>
  lines.map((cells) => `${cells.map(cellText).join(',')}\r\n`).join('')

function cellText(cell: Cell): string {
  if (cell === null) return 'null'
  if (typeof cell !== 'string') return String(cell)
  // Spreadsheet programs must not evaluate foreign text as a formula.
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) || text === 'null' ? `"${text.replaceAll('"', '""')}"` : text
}
