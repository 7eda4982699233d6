/** What collecting must know of the node that does it, where several nodes share the stores (decisions 8.2). */
import type { ControlDb } from '#control/store.ts'
import type { NodeRow } from '#control/tables.ts'

export interface CollectingNode {
  /** A part of the order numbers of its events, so that no two nodes give the same one. */
  readonly number: number
  readonly collect_mode: NodeRow['collect_mode']
  /** Names the spool, or the memory, whose batches are counted one after the other. */
  readonly origin: string
  /** Where accepted events wait for the evidence store, if they wait on a disk. */
  readonly spool_folder: string
  /** @throws NodeFenced: others have given up waiting for this node. Store errors: it is not known. */
  checkEpoch(db: ControlDb): Promise<void>
  /** Every event that any other node accepted up to here can be read, epoch milliseconds. */
  othersReadableThrough(): number
  /**
   * Reports to the other nodes how many events this one granted to each key since it did so last, as far as keys are in
   * heavy use, and returns what all others granted meanwhile. @throws what the store throws.
   */
  exchangeUse(
    used: ReadonlyMap<string, number>,
    isHeavy: (key: string, events: number) => boolean,
  ): Promise<ReadonlyMap<string, number>>
  /** Reports now how far the events of this node can be read, and hears of the others. */
  report(): Promise<void>
}

/** Why the epoch of a node is over. */
export type FenceReason = 'given_up' | 'control_restored'

const WHY_FENCED: Record<FenceReason, string> = {
  given_up: 'was silent for so long that others gave up waiting for it; it must start again.',
  control_restored: 'runs on a control store that was restored to an earlier state; it must start again.',
}

/** This node's epoch is over: it must not acknowledge or store anything any more. */
export class NodeFenced extends Error {
  constructor(name: string, reason: FenceReason = 'given_up') {
    super(`The node ${name} ${WHY_FENCED[reason]}`)
    this.name = 'NodeFenced'
  }
}
