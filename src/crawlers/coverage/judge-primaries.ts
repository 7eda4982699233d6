/** The coverage of a window by primary sources, which count while the authority gate is closed (rules 3). */

import type { DayRange } from '#days/windows.ts'
import { type CountedDays, countDays } from './choose-counting-source.ts'
import { earliest, reportedThrough } from './data-through.ts'
import { endedUploads } from './ended-uploads.ts'
import type { CoverageVerdict } from './publish-count.ts'
import type { SiteCoverage } from './site-coverage.ts'

/** How completely a window was covered, and which sources count. */
export interface Judgement {
  days: CountedDays
  verdict: CoverageVerdict
  /** The last instant that every connected counting source has reported; null if one is unknown (spec 2.2). */
  data_through: number | null
}

export function judgePrimaries(known: SiteCoverage, range: DayRange, asOf: number): Judgement {
  const { sources, intervals } = primariesOf(known, asOf)
  const days = countDays({ ...known, sources, intervals }, range, asOf)
  // A source whose evidence is all past its retention has reported, too: its days are gaps, not unknown.
  const hasReported = sources.some((source) => source.data_through !== null && source.data_through < asOf)
  const ended = endedUploads({ ...known, sources, intervals }, asOf)
  const connected = sources.filter(
    (source) => source.connection_status !== 'disconnected' && source.moved_to === null && !ended.has(source.id),
  )
  return {
    days,
    verdict: verdictOf(days, hasReported || intervals.length > 0),
    data_through: earliest(connected.map((source) => reportedThrough(source, intervals, asOf, known.senders))),
  }
}

/** The primary sources and their coverage before an instant. */
export function primariesOf(known: SiteCoverage, asOf: number): Pick<SiteCoverage, 'sources' | 'intervals'> {
  const sources = known.sources.filter((source) => source.is_primary === 1)
  const ids = new Set(sources.map((source) => source.id))
  return { sources, intervals: known.intervals.filter((row) => ids.has(row.source_id) && row.from_at < asOf) }
}

function verdictOf({ states, slices }: CountedDays, hasReported: boolean): CoverageVerdict {
  if (!hasReported) return { state: 'unknown', proves_zero: false }
  const isComplete = [...states.values()].every((state) => state === 'complete')
  return { state: isComplete ? 'complete' : 'partial', proves_zero: slices.length > 0 }
}
