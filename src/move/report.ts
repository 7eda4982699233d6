/** The report of a completed move. */
import type { ControlTableTotal } from './copy-control.ts'
import type { TableTotal } from './copy-evidence.ts'

export interface MoveReport {
  /** Null: this store was not moved. */
  evidence: { to: string; tables: TableTotal[]; pieces: number; rows: number; copied_rows: number } | null
  control: { to: string; tables: ControlTableTotal[]; rows: number } | null
  /** The number of pieces that differ. A move with differences does not complete. */
  differences: 0
  /** How long writes were refused. */
  read_only_seconds: number
  took_seconds: number
}

/** The sum of a column. */
export const totalOf = <K extends string>(rows: readonly Readonly<Record<K, number>>[], key: K): number =>
  rows.reduce((sum, row) => sum + row[key], 0)
