import type { EpochMs } from './scalars.ts'

/** Who had a URL of a site checked (rules 8.5). What was observed is not kept. */
export interface AccessCheckRow {
  id: string
  site_id: string
  checked_at: EpochMs
  /** Of the caller; ids of others than site keys are null, and of the operator both are. */
  key_id: string | null
  user_id: string | null
  host: string
  /** path/v1: without a query. */
  path: string
}
