/** Gates, and which source counts a host while the second contract is open (rules 5). */
import type { EpochMs, Truth } from './scalars.ts'

/** Whether a site's gate is open; a gate without a row stands as its default says (sites/gates.ts). */
export interface GateRow {
  site_id: string
  name: string
  is_open: Truth
  changed_at: EpochMs
}

/** What a source promises for a host, never changed: a new promise is a new row (decisions 3.8). */
export interface ContractRevisionRow {
  /** Derived from its content, so that the same promise has the same id on every node. */
  id: string
  site_id: string
  source_id: string
  hostname: string
  provider: string
  adapter: string
  /** The lowest share of requests that it looks at; null: all of them. */
  sampling: number | null
  path_fidelity: 'exact' | 'grouped' | 'unavailable'
  status_fidelity: 'exact' | 'grouped' | 'unavailable'
  limitation: string | null
  created_at: EpochMs
}

/** Makes a revision the counting truth of its host from a UTC day on, until the next assignment of that host. */
export interface AuthorityAssignmentRow {
  id: string
  site_id: string
  hostname: string
  revision_id: string
  /** `YYYY-MM-DD`, UTC. */
  effective_day: string
  assigned_at: EpochMs
  /** When a later decision for this day or an earlier one took its place; null while it stands. */
  superseded_at: EpochMs | null
}

/** A source that was disconnected: days in [effective_at, ends_at) are gaps of hosts assigned to it (rules 5). */
export interface AuthorityInterruptionRow {
  id: string
  site_id: string
  source_id: string
  disconnected_at: EpochMs
  /** Start of the first UTC day after the disconnection. */
  effective_at: EpochMs
  /** Start of the first full UTC day after reconnection; null while it is disconnected. */
  ends_at: EpochMs | null
}
