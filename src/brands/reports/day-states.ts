/** The state of a day: with answers, a gap, or without due questions (account API 2.2). */
import type { BrandReport } from '#contract/account-api/index.ts'
import { ENGINES, type Engine } from '#contract/vocabulary.ts'
import { type DayRange, dayRanges, eachDay } from '#days/windows.ts'
import type { RunRow, Runs, ScanDay } from './report-rows.ts'

export type AnsweringState = 'answered' | 'gap' | 'not_asked'
export type StateCounts = Record<AnsweringState, number>

/**
 * The state of each day of a window. A gap is a day on which a scan of an engine was due and returned no answer, not
 * even after midnight. Imported answers were never due, and today is not a gap yet.
 */
export function dayStates(
  window: DayRange,
  { runs, scans, today }: { runs: readonly RunRow[]; scans: readonly ScanDay[]; today: string },
): Map<string, AnsweringState> {
  const answered = new Set(
    runs.filter(({ state, is_of_country }) => state === 'answered' && is_of_country === 1).map(({ on_day }) => on_day),
  )
  const due = new Set(scans.filter(({ is_answered_later }) => !is_answered_later).map(({ day }) => day))
  const stateOf = (day: string): AnsweringState => {
    if (answered.has(day)) return 'answered'
    return due.has(day) && day < today ? 'gap' : 'not_asked'
  }
  return new Map(eachDay(window).map((day) => [day, stateOf(day)]))
}

/** Days of a period by their state. */
export function countStates(states: ReadonlyMap<string, AnsweringState>, period: DayRange): StateCounts {
  const counts = { answered: 0, gap: 0, not_asked: 0 }
  for (const day of eachDay(period)) {
    const state = states.get(day)
    if (state !== undefined) counts[state] += 1
  }
  return counts
}

/** Complete: no gap and every run answered or refused; unknown: no answer at all (account API 2.2). */
export function completenessOf(
  runs: Runs,
  states: ReadonlyMap<Engine, ReadonlyMap<string, AnsweringState>>,
  limitations: BrandReport['meta']['completeness']['limitations'],
): BrandReport['meta']['completeness'] {
  const gaps = ENGINES.flatMap((engine) => {
    const days = [...(states.get(engine) ?? [])].filter(([, state]) => state === 'gap').map(([day]) => day)
    return dayRanges(days).map((range) => ({ engine, ...range }))
  })
  if (runs.answered === 0) return { state: 'unknown', gaps, limitations }
  const is_whole = gaps.length === 0 && runs.failed === 0 && runs.scheduled_not_run === 0
  return { state: is_whole ? 'complete' : 'partial', gaps, limitations }
}
