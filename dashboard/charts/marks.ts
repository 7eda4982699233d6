/** The marks that arrow keys reach in a chart: days and series, points and engines, steps, columns and their pages. */

export interface MarkAt {
  column: number
  /** null: the column as a whole. */
  row: number | null
}

export interface MarkShape {
  columns: number
  /** The number of marks in a column. */
  rows: (column: number) => number
  /** The row that ↑ moves to: the next one if rows are stacked from the baseline up, the previous one in a list. */
  up: 1 | -1
  /** Whether a column is read as a whole until ↑ or ↓ picks one of its rows. */
  has_whole?: boolean
}

/** The mark that a key moves to; undefined for other keys. Rows wrap around, columns do not. */
export function markAfter(at: MarkAt | null, key: string, shape: MarkShape): MarkAt | undefined {
  const last = shape.columns - 1
  if (last < 0) return undefined
  const first_row = shape.has_whole === true ? null : 0
  const row = at === null ? first_row : at.row
  const to = (column: number): MarkAt => {
    const at_most = Math.max(0, Math.min(last, column))
    return { column: at_most, row: row === null ? null : Math.min(row, Math.max(0, shape.rows(at_most) - 1)) }
  }
  if (key === 'Home') return to(0)
  if (key === 'End') return to(last)
  if (key === 'ArrowLeft') return to(at === null ? last : at.column - 1)
  if (key === 'ArrowRight') return to(at === null ? 0 : at.column + 1)
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return undefined
  if (at === null) return to(0)
  // A column with one mark has nothing above or below it, so ↑ and ↓ move between columns.
  if (row !== null && shape.rows(at.column) === 1) return to(at.column + (key === 'ArrowUp' ? -1 : 1))
  return { ...at, row: rowAfter(row, shape.rows(at.column), key === 'ArrowUp' ? shape.up : -shape.up) }
}

function rowAfter(row: number | null, count: number, step: number): number | null {
  if (count === 0) return null
  if (row === null) return step > 0 ? 0 : count - 1
  return (row + step + count) % count
}

/** Whether both are the same mark, or both are null. */
export const areSame = (a: MarkAt | null, b: MarkAt | null): boolean =>
  a === b || (a !== null && b !== null && a.column === b.column && a.row === b.row)

/** Whether the chart has this mark. Its data may have changed since the mark was chosen. */
export const hasMark = ({ column, row }: MarkAt, { columns, rows }: MarkShape): boolean =>
  column < columns && (row === null || row < rows(column))

/** The column of equal width below a pointer; null left of the first one. */
export function columnAt(
  client_x: number,
  chart: Element | null | undefined,
  { left, slot_width, count }: { left: number; slot_width: number; count: number },
): number | null {
  const x = chart == null ? -1 : client_x - chart.getBoundingClientRect().left - left
  return x < 0 || count === 0 ? null : Math.min(count - 1, Math.floor(x / slot_width))
}
