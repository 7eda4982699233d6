/** What a kind of derived data registers with the mechanism that derives days. */
import type { ControlTransaction } from '#control/store.ts'
import type { DerivedKind, RetiredBuildRow, RetiredKind } from '#control/tables.ts'
import type { MarkedDay } from './dirty-days.ts'

/** A day that may be derived now; marks are read before facts. None where other things than marks name the work. */
export type ReadyDay = MarkedDay

/** Nothing else writes rows of a retired build, and a delete takes seconds, so that deliveries do not wait for it. */
export const BESIDE_WRITES = { is_beside_writes: true }

/** Rows in the evidence store that are deleted some time after they stopped counting. */
export interface Retirable {
  kind: RetiredKind
  /** Deletes rows that no reader uses any more, all at once, because a delete visits every part; repeatable. */
  deleteRows(retired: readonly RetiredBuildRow[]): Promise<void>
}

/** One kind of data that is derived from facts, day by day. */
export interface Derivation<D extends ReadyDay = ReadyDay> extends Retirable {
  kind: DerivedKind
  /** Days that may be derived, each list by one build: of one site and month, because an insert has one partition. */
  findBatches(): Promise<D[][]>
  /** Days that must not wait for those of `findBatches`; looked for again between two of them. */
  findUrgent?(): Promise<D[][]>
  /** What of the day is built: of definitions their ids, of the other kinds one empty text. */
  parts(day: D): readonly string[]
  /** Reads a build's other dependencies in the transaction that numbers it. Returns what inserts its rows. */
  begin(tx: ControlTransaction, batch: readonly D[], build: number): Promise<() => Promise<void>>
  /** Inside the switch: false when the build must not count, because what it depends on is gone or was replaced. */
  isCurrent(tx: ControlTransaction, day: D): Promise<boolean>
  /** In the transaction of the switch, before the pointers move: retires what depended on the build before. */
  replace?(tx: ControlTransaction, day: D, retired_at: number): Promise<void>
}
