import type { Meta } from '../../src/contract/site-api/index.ts'
import type { CoverageState } from '../../src/contract/vocabulary.ts'
import { ageText, clockText, instantText, runsOf, spansText } from '../words/days.ts'
import { counted, fullCount } from '../words/numbers.ts'
import type { DayEvidence } from './day.ts'

/** Evidence that is older than this is stale. */
const STALE_MS = 2 * 3_600_000

export interface EvidenceSentences {
  state: CoverageState
  /** "21 of 30 days watched in full, 7 in part"; null while nothing was ever reported, or coverage is not read yet. */
  watched: { linked: string; rest: string } | null
  /** "2 days not watched" and when. */
  unwatched: { linked: string; rest: string } | null
  /** "3 sources, data through 21 Nov 08:12" */
  through: string
  /** The age of the newest evidence, if it is stale. */
  stale: string | null
  as_of: string
  registry: string | null
}

/** The words for the completeness of an answer. */
export function evidenceSentences(meta: Meta, days: readonly DayEvidence[] | null): EvidenceSentences {
  const { as_of, data_through } = meta
  const is_stale = data_through !== null && Date.parse(as_of) - Date.parse(data_through) > STALE_MS
  return {
    state: meta.coverage_state,
    watched: meta.coverage_state === 'unknown' || days === null ? null : watchedWords(days),
    unwatched: meta.coverage_state === 'unknown' ? null : unwatchedWords(meta, days),
    through: throughWords(meta, is_stale),
    stale: is_stale ? `${ageText(data_through, as_of)} ago` : null,
    as_of: asOfWords(meta),
    registry: meta.registry_version,
  }
}

/** "as of 08:14 UTC"; with the day if no instant beside it has one. */
export const asOfWords = ({ as_of, data_through }: { as_of: string; data_through: string | null }): string =>
  `as of ${data_through === null ? instantText(as_of) : clockText(as_of)} UTC`

function watchedWords(days: readonly DayEvidence[]) {
  const full = days.filter(({ state }) => state === 'complete').length
  const part = days.filter(({ state }) => state === 'partial').length
  return {
    linked: `${fullCount(full)} of ${counted(days.length, 'day')} watched in full`,
    rest: part === 0 ? '' : `, ${fullCount(part)} in part`,
  }
}

function unwatchedWords(meta: Meta, days: readonly DayEvidence[] | null) {
  const runs: readonly { from: string; to: string }[] =
    days === null ? meta.gaps : runsOf(days.filter(({ state }) => state === 'gap').map(({ date }) => date))
  if (runs.length === 0) return null
  const total = runs.reduce((sum, { from, to }) => sum + (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1, 0)
  return { linked: `${counted(total, 'day')} not watched`, rest: listedRuns(runs) }
}

/** ", 6–7 Nov": which days, while they are few enough for one line; the drawer behind the link lists all. */
export const listedRuns = (runs: readonly { from: string; to: string }[]): string =>
  runs.length > MAX_RUNS ? '' : `, ${spansText(runs)}`
const MAX_RUNS = 3

function throughWords({ sources, data_through }: Meta, is_stale: boolean): string {
  if (data_through === null)
    return sources.length === 0 ? '' : `${counted(sources.length, 'source')}, nothing reported yet`
  const through = `data through ${instantText(data_through)}`
  return is_stale ? through : `${counted(sources.length, 'source')}, ${through}`
}
