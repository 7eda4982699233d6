/** What every answer of the tracker starts from: coverage first, counts after (rules 3, 6). */
import type { RefusedEvidenceRow } from '#control/tables.ts'
import type { DayRange } from '#days/windows.ts'
import type { TrackerScope } from '../scope.ts'
import type { Collected } from './collected.ts'

/** How whole the collection of one UTC day was. */
export interface TrackerDay {
  /** `gap`: unobserved. `partial`: something is missing. `complete`: all that the snippet sent was taken. */
  state: 'complete' | 'partial' | 'gap'
  /** Why it is not complete: `no_signal`, `collection_interrupted`, `before_first_event`, `disabled` …; else null. */
  limitation: string | null
  /** A browser's event was accepted, or an inspection found the snippet: else visits are unknown in any case. */
  is_proven: boolean
  /** The answer counts what was observed on it; false for gaps, and for partial days of which it can know nothing. */
  is_counted: boolean
}

/** Refused events that an answer lacks (rules 6). */
export interface MissingEvents extends Pick<RefusedEvidenceRow, 'day' | 'kind' | 'name' | 'events' | 'first_at'> {
  /** Of events of other names: when each name was kept as itself, so that it was none of theirs. */
  named: Collected['named']
}

export type MeasurementState = 'uninstalled' | 'awaiting_first_evidence' | 'measured' | 'unavailable'

export interface TrackerReading {
  scope: TrackerScope
  range: DayRange
  /** Every day of the range, ascending. */
  days: ReadonlyMap<string, TrackerDay>
  measurement_state: MeasurementState
  /** False when no day of the window carries a number: not measured, or not counted. Then every count is null. */
  has_evidence: boolean
  /** True when every day of the window is complete: a zero is one. Else numbers are what was observed at least. */
  is_whole: boolean
  /** UTC day of the first accepted event. */
  available_from: string | null
  /** Epoch milliseconds. */
  data_through: number | null
  as_of: number
  /** Maximal ranges of gap days, ascending. */
  gaps: DayRange[]
  /** Sorted, each once: why days are less than complete. */
  limitations: string[]
  /** Of counted days. */
  missing: readonly MissingEvents[]
  /** Visitors who do not want to be counted were left out: numbers are those of the others. */
  has_opted_out: boolean
  /** Events of development origins are counted like those of visitors (rules 6.14). */
  has_development: boolean
}
