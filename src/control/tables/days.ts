/** Dirty days, and which build of a day counts. */
import type { EpochMs } from './scalars.ts'

/**
 * What is derived: crawlers' roll-ups of days, and of months out of those; visitors' sessions with sums, and the counts
 * of each definition.
 */
export type DerivedKind = 'crawlers' | 'crawler_months' | 'sessions' | 'definitions'

/** What is deleted some time after it stopped counting: builds, readings of a zone, and days that retention ended. */
export type RetiredKind = DerivedKind | 'zone_readings' | 'visitor_facts'

/** A day with at least one row of a kind is read from facts; what was derived of it may be stale. */
export interface DirtyDayRow {
  site_id: string
  /** `YYYY-MM-DD`, UTC; of a month its first day. */
  day: string
  kind: DerivedKind
  /**
   * What made it dirty: the id of a delivery or a group (`live …`), `events`, `builds`, `retention`, `restore` or
   * `layout`.
   */
  cause: string
  /** `writing`: facts may still arrive. `written`: the day may be derived. */
  state: 'writing' | 'written'
  /** Rises with every mark: a build removes only marks that it saw. 0: a whole build of an older version. */
  marked: number
}

/** Which build of a day counts. */
export interface BuildRow {
  site_id: string
  day: string
  kind: DerivedKind
  /** Of definitions their id, of months a digest of the builds that they sum; empty for the other kinds. */
  part: string
  build: number
}

/** Rows that do not count, kept until every reader that may still use them is done. */
export interface RetiredBuildRow {
  site_id: string
  day: string
  kind: RetiredKind
  /** As in BuildRow; of a zone's readings, the id of the source. */
  part: string
  /** Number of the build or of the reading; 0 for the events of a day. */
  build: number
  /** The delivery that may still be writing them; empty for none. */
  delivery_id: string
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
