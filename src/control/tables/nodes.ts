/** Service nodes that share the stores, and the locks that they take. */
import type { EpochMs } from './scalars.ts'

/** A node with a data folder of its own. Only where the evidence is on servers: an embedded store has one service. */
export interface NodeRow {
  /** From the file `node.id` in the node's data folder. */
  id: string
  name: string
  /** 1 to 1023, a part of the order numbers of its events. */
  number: number
  /** Grows when the node starts and when others give up waiting for it: work under an older epoch must end. */
  epoch: number
  collect_mode: 'direct' | 'local' | 'shared'
  /**
   * `away`: silent, with a spool that comes back with it. `draining`: silent, and others store its spool. `gone`:
   * silent, and nothing that it had acknowledged waits. `lost`: given up by an operator.
   */
  state: 'up' | 'stopped' | 'away' | 'draining' | 'gone' | 'lost'
  version: string
  registered_at: EpochMs
  /** Its last sign of life, by the database's clock. */
  seen_at: EpochMs
  /** Every event that it accepted up to here can be read. */
  readable_through: EpochMs
  /** Bytes of events that it has accepted and that cannot be read yet. */
  waiting_bytes: number
  /** By how much its clock is certainly ahead of the database's; negative: behind. */
  clock_ahead_ms: number
}

/** How much of the shared limits a node has granted, reported once a second while it changes. */
export interface NodeUseRow {
  node_id: string
  epoch: number
  /** JSON: pairs of a key and the events that were granted to it since the node reports it. */
  sums: string
}

/** A named lock (ADR 44): a lease with an epoch on work that one process at a time does. */
export interface LockRow {
  name: string
  /** Null: no process holds it. */
  holder: string | null
  /** Grows each time it is taken. */
  epoch: number
  until: EpochMs | null
  /** How often pages were deleted under it: pages that other processes cached as stored may be gone. */
  deletions: number
}
