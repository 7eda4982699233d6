/** What a move says at its end. */
import type { ControlTableTotal } from './copy-control.ts'
import type { TableTotal } from './copy-evidence.ts'

export interface MoveReport {
  /** Null: stays where it is. */
  evidence: { to: string; tables: TableTotal[]; pieces: number; rows: number; copied_rows: number } | null
  control: { to: string; tables: ControlTableTotal[]; rows: number } | null
  /** Pieces that differ; a move with any does not end. */
  differences: 0
  /** How long nothing was taken. */
  read_only_seconds: number
  took_seconds: number
}

/** The sum of a column. */
export const totalOf = <K extends string>(rows: readonly Readonly<Record<K, number>>[], key: K): number =>
  rows.reduce((sum, row) => sum + row[key], 0)
