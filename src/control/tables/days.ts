/** Which days wait for their roll-ups, and which build of a day counts. */
import type { EpochMs } from './scalars.ts'

/** A day with at least one row is read from facts; roll-ups of it may be stale. */
export interface DirtyDayRow {
  site_id: string
  /** `YYYY-MM-DD`, UTC. */
  day: string
  delivery_id: string
  /** `writing`: facts may still arrive, the day must not be rebuilt. `written`: it may. */
  state: 'writing' | 'written'
}

/** Which build of a day's roll-ups counts. */
export interface DayBuildRow {
  site_id: string
  day: string
  build: number
}

/** A build that no longer counts, kept until every reader that may still use it is done. */
export interface RetiredBuildRow {
  site_id: string
  day: string
  build: number
  retired_at: EpochMs
}

/** When a day of an upload last received something new: uploads age from receipt (rules 4, Retention). */
export interface DayReceiptRow {
  site_id: string
  source_id: string
  day: string
  received_at: EpochMs
}

/** A day of a source that retention has ended: a gap already, its facts still to be deleted. */
export interface ExpiredDayRow {
  site_id: string
  source_id: string
  day: string
  expired_at: EpochMs
}
