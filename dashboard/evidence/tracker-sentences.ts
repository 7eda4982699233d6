import type { AnalyticsOverview } from '../../src/contract/site-api/index.ts'
import type { CoverageState } from '../../src/contract/vocabulary.ts'
import { ageText, daysOf, instantText, runsOf } from '../words/days.ts'
import { counted, fullCount } from '../words/numbers.ts'
import { limitationSentence, MEASUREMENT_WORDS, OPERATIONAL_WORDS } from '../words/tracker.ts'
import { asOfWords, listedRuns } from './sentences.ts'
import type { TrackerDay } from './tracker-days.ts'

/** The part of every answer about visitors that describes its evidence. */
export type TrackerEnvelope = Pick<
  AnalyticsOverview['meta'],
  'as_of' | 'available_from' | 'completeness' | 'data_through' | 'freshness' | 'measurement_state' | 'operational'
> & { window: { from: string; to: string } }

export interface TrackerSentences {
  state: CoverageState
  /** "Tracker evidence": it is never complete, because browsers without the script are not observed. */
  name: string
  /** "27 of 30 days collected in full, 2 in part"; null before the first event. */
  collected: { linked: string; rest: string } | null
  /** "1 day without evidence", and when. */
  missing: { linked: string; rest: string } | null
  /** What holds for the whole window. */
  limitations: string[]
  /** "Tracker live, data through 21 Nov 08:14" */
  through: string
  /** The age of the newest evidence, if it is stale. */
  stale: string | null
  as_of: string
}

export function trackerSentences(
  meta: TrackerEnvelope,
  days: readonly TrackerDay[] | null,
  name = nameOf(meta),
): TrackerSentences {
  const is_measured = meta.measurement_state === 'measured'
  const { data_through, as_of, freshness } = meta
  const is_stale = freshness.state === 'stale' && data_through !== null
  const through = data_through === null ? '' : `, data through ${instantText(data_through)}`
  return {
    state: is_measured ? 'partial' : 'unknown',
    name,
    collected: is_measured && days !== null ? collectedWords(days) : null,
    missing: is_measured ? missingWords(meta) : null,
    limitations: meta.completeness.limitations.map(limitationSentence),
    through: `${OPERATIONAL_WORDS[meta.operational.state]}${through}`,
    stale: is_stale ? `${ageText(data_through, as_of)} ago` : null,
    as_of: asOfWords(meta),
  }
}

/** A tracker that is switched off waits for nothing. */
const nameOf = ({ measurement_state, operational }: TrackerEnvelope): string =>
  measurement_state === 'awaiting_first_evidence' && operational.state === 'disabled'
    ? 'No event yet'
    : MEASUREMENT_WORDS[measurement_state]

function collectedWords(days: readonly TrackerDay[]) {
  const full = days.filter(({ state }) => state === 'complete').length
  const part = days.filter(({ state }) => state === 'partial').length
  return {
    linked: `${fullCount(full)} of ${counted(days.length, 'day')} collected in full`,
    rest: part === 0 ? '' : `, ${fullCount(part)} in part`,
  }
}

function missingWords({ completeness }: TrackerEnvelope) {
  const runs = runsOf(completeness.gaps.flatMap(({ from, to }) => daysOf(from, to)))
  if (runs.length === 0) return null
  const total = runs.reduce((sum, { from, to }) => sum + daysOf(from, to).length, 0)
  return { linked: `${counted(total, 'day')} without evidence`, rest: listedRuns(runs) }
}
