/** The coverage that every tracker answer starts from: it is read before the counts (rules 3, 6). */
import type { RefusedEvidenceRow } from '#control/tables.ts'
import type { DayRange } from '#days/windows.ts'
import type { TrackerScope } from '../scope.ts'
import type { Collected } from './collected.ts'

/** How complete the collection of one UTC day was. */
export interface TrackerDay {
  /** `gap`: unobserved. `partial`: evidence is missing. `complete`: all events that the snippet sent were accepted. */
  state: 'complete' | 'partial' | 'gap'
  /** Why the day is not complete: `no_signal`, `collection_interrupted`, `before_first_event`, `disabled` …. */
  limitation: string | null
  /** An event of a browser was accepted, or an inspection found the snippet. Otherwise visits are unknown. */
  is_proven: boolean
  /** Answers count what was observed on the day. False for gaps, and for partial days without an accepted event. */
  is_counted: boolean
}

/** Refused events that are missing from an answer (rules 6). */
export interface MissingEvents extends Pick<RefusedEvidenceRow, 'day' | 'kind' | 'name' | 'events' | 'first_at'> {
  /** When each name was counted under its own name. At other times, its events were counted as `:other`. */
  named: Collected['named']
}

export type MeasurementState = 'uninstalled' | 'awaiting_first_evidence' | 'measured' | 'unavailable'

export interface TrackerReading {
  scope: TrackerScope
  range: DayRange
  /** Every day of the range, ascending. */
  days: ReadonlyMap<string, TrackerDay>
  measurement_state: MeasurementState
  /** False if no day of the window is counted. Then every count is null. */
  has_evidence: boolean
  /** True if every day of the window is complete: then a zero is exact. Otherwise counts are lower bounds. */
  is_whole: boolean
  /** UTC day of the first accepted event. */
  available_from: string | null
  /** Epoch milliseconds. */
  data_through: number | null
  as_of: number
  /** Maximal ranges of gap days, ascending. */
  gaps: DayRange[]
  /** The limitations of all days, sorted, each once. */
  limitations: string[]
  /** Missing events of counted days. */
  missing: readonly MissingEvents[]
  /** Some visitors opted out of being counted: counts are those of the others. */
  has_opted_out: boolean
  /** Events of development origins are counted like those of visitors (rules 6.14). */
  has_development: boolean
}
