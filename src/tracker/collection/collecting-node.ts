/** The node that collects, as the collector sees it, if several nodes share the stores (decisions 8.2). */
import type { ControlDb } from '#control/store.ts'
import type { NodeRow } from '#control/tables.ts'

export interface CollectingNode {
  /** A part of the order numbers of its events, so that no two nodes assign the same one. */
  readonly number: number
  readonly collect_mode: NodeRow['collect_mode']
  /** Names the spool, or the process memory, that its events come from. Batches of one origin are counted in order. */
  readonly origin: string
  /** Where accepted events wait for the evidence store, if they wait on a disk. */
  readonly spool_folder: string
  /** @throws NodeFenced: other nodes stopped waiting for this one. Store errors: the epoch could not be read. */
  checkEpoch(db: ControlDb): Promise<void>
  /** The instant (epoch milliseconds) up to which all events that other nodes accepted can be read. */
  othersReadableThrough(): number
  /**
   * Reports to the other nodes the events that this one admitted for each heavily used key since the last call, and
   * returns the events that all others admitted meanwhile. @throws store errors.
   */
  exchangeUse(
    used: ReadonlyMap<string, number>,
    isHeavy: (key: string, events: number) => boolean,
  ): Promise<ReadonlyMap<string, number>>
  /** Reports up to which instant this node's events can be read, and reads the same of the other nodes. */
  report(): Promise<void>
}

/** Why the epoch of a node has ended. */
export type FenceReason = 'given_up' | 'control_restored'

const WHY_FENCED: Record<FenceReason, string> = {
  given_up: 'was silent for so long that others gave up waiting for it; it must start again.',
  control_restored: 'runs on a control store that was restored to an earlier state; it must start again.',
}

/** The epoch of this node has ended: it must no longer acknowledge or store events. */
export class NodeFenced extends Error {
  constructor(name: string, reason: FenceReason = 'given_up') {
    super(`The node ${name} ${WHY_FENCED[reason]}`)
    this.name = 'NodeFenced'
  }
}
