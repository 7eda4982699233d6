/** The evidence of one day, from the coverage answer, and the form in which it is drawn. */
import type { Coverage, CoverageDay } from '../../src/contract/dashboard-api/index.ts'
import type { Meta } from '../../src/contract/site-api/index.ts'
import type { CoverageReason } from '../../src/contract/vocabulary.ts'
import { minutesText } from '../words/numbers.ts'

export interface DayEvidence {
  date: string
  state: 'complete' | 'partial' | 'gap'
  /** Observed minutes of the day; null where they are not known. */
  minutes: number | null
  reasons: readonly CoverageReason[]
  /** 0.1: one request in ten was recorded. */
  sampling: number | null
  /** How much of a running day has passed, from 0 to 1; null for a day that is over. */
  elapsed: number | null
  /** Words for the day instead of those for requests, such as a limitation of the tracker. */
  words?: string
  /** No request was observed, and nothing proves that there were none: the count is unknown, not zero. */
  is_zero_unproven?: true
  /** The kind of evidence; without it, crawler sources. Each kind has its own words. */
  collector?: 'tracker'
}

/** In the order in which legends list them. */
export const DAY_FORMS = ['complete', 'partial', 'sampled', 'backfill', 'today', 'gap'] as const
export type DayForm = (typeof DAY_FORMS)[number]

/** Forms do not depend on colour: a gap does not look like a zero, nor a running day like a closed one. */
export function formOf({ state, reasons, elapsed }: DayEvidence): DayForm {
  if (state === 'gap') return 'gap'
  if (elapsed !== null) return 'today'
  if (reasons.includes('backfill')) return 'backfill'
  if (reasons.includes('sampled') || reasons.includes('capped')) return 'sampled'
  return state
}

interface TrackWords {
  /** Words for a complete day, and for one without evidence. */
  full: string
  gap: string
  /** The participle for a day with evidence. */
  verb: string
}
const SOURCE_WORDS: TrackWords = { full: 'watched in full', gap: 'not watched', verb: 'watched' }
const TRACKER_WORDS: TrackWords = { full: 'collected in full', gap: 'without evidence', verb: 'collected' }

/** The words for the days of one chart or track, the same as in its evidence line. */
export const trackWords = (days: readonly Pick<DayEvidence, 'collector'>[]): TrackWords =>
  days[0]?.collector === 'tracker' ? TRACKER_WORDS : SOURCE_WORDS

/** "5 of 7 days watched", for a week. */
export function weekWords(days: readonly DayEvidence[]): string {
  const { full, gap, verb } = trackWords(days)
  const gap_count = days.filter(({ state }) => state === 'gap').length
  if (gap_count === days.length) return gap
  if (gap_count > 0) return `${days.length - gap_count} of ${days.length} days ${verb}`
  return days.every(({ state }) => state === 'complete') ? full : `${verb} in part`
}

/** What legends call a form. */
export function dayFormWords(form: DayForm, { full, gap }: TrackWords): string {
  if (form === 'complete') return full
  return form === 'gap' ? `${gap}: unknown, not zero` : FORM_WORDS[form]
}

const FORM_WORDS: Record<Exclude<DayForm, 'complete' | 'gap'>, string> = {
  partial: 'partly',
  sampled: 'sampled or capped',
  backfill: 'provider’s history',
  today: 'so far',
}

const REASON_WORDS: Record<CoverageReason, string> = {
  backfill: 'provider’s history',
  sampled: 'sampled',
  capped: 'capped at the page limit',
  filtered: 'filtered before it was delivered',
  stale: 'the source is behind',
  unreadable_lines: 'lines that could not be read',
  no_signal: 'no evidence for the rest',
  collection_interrupted: 'collection was interrupted',
}

const MINUTES_A_DAY = 1440

/** "watched 11 h 20 min of 24 h", "sampled, 1 in 10", "not watched". */
export function evidenceWords(day: DayEvidence): string {
  if (day.words !== undefined) return day.words
  if (day.state === 'gap') return SOURCE_WORDS.gap
  const words: string[] = []
  if (day.reasons.includes('backfill')) words.push('provider’s history')
  else if (day.minutes !== null && day.minutes < MINUTES_A_DAY && (day.state === 'partial' || day.elapsed !== null)) {
    words.push(`watched ${minutesText(day.minutes)}${day.elapsed === null ? ' of 24 h' : ' so far'}`)
  } else if (day.elapsed !== null) words.push('so far')
  else words.push(day.state === 'complete' ? SOURCE_WORDS.full : 'watched in part')
  for (const reason of day.reasons) if (reason !== 'backfill') words.push(reasonWords(reason, day.sampling))
  return words.join(', ')
}

/** A reason without words here is shown as its code. */
export function reasonWords(reason: CoverageReason, sampling: number | null): string {
  if (reason === 'sampled' && sampling !== null && sampling > 0) return `sampled, 1 in ${Math.round(1 / sampling)}`
  return REASON_WORDS[reason] ?? reason
}

/** The days of the window from the coverage answer, the running one with how much of it has passed. */
export const daysOfCoverage = ({ meta, days }: Pick<Coverage, 'meta' | 'days'>): DayEvidence[] =>
  days.map((day) => ({
    ...dayOf(day, meta.as_of),
    ...(meta.authority !== undefined && day.state === 'partial' ? { is_zero_unproven: true } : {}),
  }))

/** The count of a day without a row: zero if the evidence proves it, else null. */
export const countWithoutRow = ({ state, is_zero_unproven }: ZeroEvidence): 0 | null =>
  state === 'gap' || is_zero_unproven === true ? null : 0
export type ZeroEvidence = Pick<DayEvidence, 'state' | 'is_zero_unproven'>

/**
 * Whether an answer without rows means that there was nothing. Where sources are assigned to hosts, only complete
 * coverage proves that; elsewhere any does.
 */
export const provesZero = ({ coverage_state, authority }: Pick<Meta, 'coverage_state' | 'authority'>): boolean =>
  authority === undefined ? coverage_state !== 'unknown' : coverage_state === 'complete'

export function dayOf(day: CoverageDay, as_of: string): DayEvidence {
  const elapsed = day.date === as_of.slice(0, 10) ? (Date.parse(as_of) % 86_400_000) / 86_400_000 : null
  return {
    date: day.date,
    state: day.state,
    minutes: day.minutes,
    reasons: day.reasons,
    sampling: day.sampling,
    elapsed,
  }
}
