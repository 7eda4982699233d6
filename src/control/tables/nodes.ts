/** Service nodes that share the stores, and the turns that they take. */
import type { EpochMs } from './scalars.ts'

/** A node with a data folder of its own. Only where the evidence is on servers: an embedded store has one service. */
export interface NodeRow {
  /** Kept in the node's data folder. */
  id: string
  name: string
  /** 1 to 1023, a part of the order numbers of its events. */
  number: number
  /** Grows when the node starts and when others give up waiting for it: what runs under an older one must end. */
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
  /** How far its clock is surely ahead of the database's, negative when it is behind. */
  clock_ahead_ms: number
}

/** What a node granted of limits that all keep together, reported once a second while it changes. */
export interface NodeUseRow {
  node_id: string
  epoch: number
  /** JSON: pairs of a key and the events that it was granted since it is reported. */
  sums: string
}

/** A lease with an epoch on something that one process at a time does. */
export interface TurnRow {
  name: string
  /** Null: no process has it. */
  holder: string | null
  /** Grows each time it is taken. */
  epoch: number
  until: EpochMs | null
  /** How often pages were deleted under it: what others remember as stored may be gone. */
  deletions: number
}
