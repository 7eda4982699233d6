/** Arithmetic and layout of measured figures. */

/** Nearest-rank percentile; the 99th of fewer than 100 values is the largest. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const rank = Math.max(1, Math.ceil((percent / 100) * sorted.length))
  return sorted[rank - 1] as number
}

const WIDTHS = [36, 9, 10, 12, 14, 10]

/** One line of a table of figures. */
export function row(...cells: readonly (string | number)[]): string {
  return cells
    .map((cell, column) =>
      column === 0 ? String(cell).padEnd(WIDTHS[0] as number) : String(cell).padStart(WIDTHS[column] as number),
    )
    .join('')
}
