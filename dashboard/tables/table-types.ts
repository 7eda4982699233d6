import type { ReactNode } from 'react'

export interface Column<Row> {
  key: string
  head: string
  cell: (row: Row) => ReactNode
  /** Numbers stand at the end of the line. */
  is_number?: boolean
  /** What it is sorted by; without it the column cannot be sorted. Unknown values come last. */
  sort?: (row: Row) => number | string | null
  /** As the API names and writes it, several fields where the column shows several; without it it is in no CSV. */
  csv?: CsvField<Row> | readonly CsvField<Row>[]
  /**
   * Where it stands on phones: line one at the start or end, line two at the start or end, or nowhere, for what is said
   * elsewhere; without it on a line of its own after its head.
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
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
    const order = typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en')
    return sort.descending ? -order : order
  })
}
