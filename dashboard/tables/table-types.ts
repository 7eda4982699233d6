import type { ReactNode } from 'react'

export interface Column<Row> {
  key: string
  head: string
  cell: (row: Row) => ReactNode
  /** Numbers are aligned at the end of the cell. */
  is_number?: boolean
  /** The value by which rows are sorted; without it the column cannot be sorted. Unknown values come last. */
  sort?: (row: Row) => number | string | null
  /** The API's fields that the column shows, with their names and values; without it the column is not in the CSV. */
  csv?: CsvField<Row> | readonly CsvField<Row>[]
  /**
   * Its position on phones: at the start or end of line one, at the start or end of line two, or hidden, because it is
   * shown elsewhere. Without it, the cell has its own line after the column's head.
   */
  phone?: 'name' | 'value' | 'tag' | 'bar' | 'hidden'
  /** A class that sets the width. */
  width?: string
}

interface CsvField<Row> {
  name: string
  value: (row: Row) => string | number | boolean | null
}

export interface Sort {
  key: string
  descending: boolean
}

/** `-requests` is descending. */
export const sortOf = (text: string | undefined): Sort | null =>
  text === undefined ? null : { key: text.replace(/^-/, ''), descending: text.startsWith('-') }

/** Stable; unknown values stay last in both directions. */
export function sorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort: Sort | null): readonly Row[] {
  const by = sort === null ? undefined : columns.find(({ key }) => key === sort.key)?.sort
  if (by === undefined || sort === null) return rows
  return rows.toSorted((one, other) => {
    const [a, b] = [by(one), by(other)]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    const order = typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en')
    return sort.descending ? -order : order
  })
}
