/** Jobs, each run by one process at a time of all that share the store. */
import type { EpochMs } from './scalars.ts'

/** A job that one process at a time runs, of all that share this store. */
export interface JobRow {
  name: string
  every_ms: number
  /** A run that lasts longer is broken off. */
  limit_ms: number
  /** When it is due again. */
  next_at: EpochMs
  /** The uuid of the run that holds the lease; null: none. */
  lease_owner: string | null
  /** Until when no other process may take it, renewed while it runs. */
  lease_until: EpochMs | null
  /** Runs in a row that failed; 0 after one that succeeded. */
  attempts: number
  last_started_at: EpochMs | null
  last_ended_at: EpochMs | null
  last_succeeded_at: EpochMs | null
  last_error: string | null
}
