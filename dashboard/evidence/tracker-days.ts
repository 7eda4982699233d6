import type { TrackerCoverage } from '../../src/contract/dashboard-api/index.ts'
import { limitationSentence, UNCOUNTED_LIMITATIONS } from '../words/tracker.ts'
import type { DayEvidence } from './day.ts'

export type TrackerDay = TrackerCoverage['days'][number]

/**
 * The days of a tracker's window as charts draw them. A day with visits but without an accepted event is drawn like a
 * day without evidence, because its counts are unknown.
 */
export const daysOfTracker = ({ days, as_of }: Pick<TrackerCoverage, 'days' | 'as_of'>): DayEvidence[] =>
  days.map((day) => ({
    date: day.date,
    state: isUncounted(day) ? 'gap' : day.state,
    minutes: null,
    reasons: [],
    sampling: null,
    elapsed: day.date === as_of.slice(0, 10) ? (Date.parse(as_of) % DAY_MS) / DAY_MS : null,
    words: wordsOf(day),
    collector: 'tracker',
  }))
const DAY_MS = 86_400_000

const isUncounted = ({ limitation }: TrackerDay) => limitation !== null && UNCOUNTED_LIMITATIONS.has(limitation)

function wordsOf({ state, limitation }: TrackerDay): string {
  if (limitation !== null) return limitationSentence(limitation)
  return STATE_WORDS[state]
}

const STATE_WORDS: Record<TrackerDay['state'], string> = {
  complete: 'collected in full',
  partial: 'collected in part',
  gap: 'without evidence',
}
