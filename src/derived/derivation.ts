/** The interface of a kind of derived data with the mechanism that derives days. */
import type { ControlTransaction } from '#control/store.ts'
import type { DerivedKind, RetiredBuildRow, RetiredKind } from '#control/tables.ts'
import type { MarkedDay } from './dirty-days.ts'

/** A day that may be derived now. Its marks are read before facts; there are none if other records name the work. */
export type ReadyDay = MarkedDay

/** For deletions of retired builds: nothing else writes their rows, and other writes must not wait for them. */
export const CONCURRENT_WRITE = { is_concurrent: true }

/** A kind of rows in the evidence store that are deleted some time after they are retired. */
export interface Retirable {
  kind: RetiredKind
  /**
   * Deletes rows that no reader uses any more. One call deletes all, because a delete visits every part. Repeatable.
   */
  deleteRows(retired: readonly RetiredBuildRow[]): Promise<void>
}

/** One kind of data that is derived from facts, day by day. */
export interface Derivation<D extends ReadyDay = ReadyDay> extends Retirable {
  kind: DerivedKind
  /** Days that may be derived. One build derives a list: of one site and month, because an insert has one partition. */
  findBatches(): Promise<D[][]>
  /** Days that must not wait for those of `findBatches`; it is called again between two of them. */
  findUrgent?(): Promise<D[][]>
  /** The parts of a day that are built: ids of definitions; for other kinds one empty text. */
  parts(day: D): readonly string[]
  /**
   * Reads the other dependencies of a build in the transaction that numbers it. Returns a function that inserts its
   * rows.
   */
  begin(tx: ControlTransaction, batch: readonly D[], build: number): Promise<() => Promise<void>>
  /** Called in the switch: false if a dependency of the build is gone or was replaced, so that it must not be used. */
  isCurrent(tx: ControlTransaction, day: D): Promise<boolean>
  /**
   * Called in the transaction of the switch, before the pointers move: retires data that depends on the previous build.
   */
  replace?(tx: ControlTransaction, day: D, retired_at: number): Promise<void>
}
