/** What is known about each UTC day of a window (rules 6; docs/tracker/coverage where the rules are silent). */

import { DAY, dayOf, dayStart, type Instant, MINUTE } from '../history.ts'
import type { DayCounts, Evidence, Missing } from './evidence.ts'
import type { Rules } from './rules.ts'

export interface JudgedDay {
  day: string
  state: 'complete' | 'partial' | 'gap'
  /** Why it is less than complete. */
  reason: string | null
  /** Visits are known: an event of a browser was accepted, or the inspection found the snippet. */
  is_proven: boolean
  /** The answer has numbers for it: of visits, or of what servers reported. */
  is_counted: boolean
  /** Refused events that are missing from it, for this answer. */
  missing: Missing[]
}

/** Refused events of one day that would have been of one kind or name. */
export interface RefusedGroup {
  day: string
  group: string
  first_at: Instant
}

export interface Judging {
  evidence: Evidence
  as_of: Instant
  /** Up to here the collector is known up, and what it accepted can be read. */
  data_through: Instant | null
  /** Conversions and revenue also count what servers report. */
  counts_servers: boolean
  /** Which refused events are missing from the answer. */
  isMissed(refused: RefusedGroup): boolean
  rules: Rules
}

const NOTHING: DayCounts = { browser: 0, server: 0, bots: 0, refused: 0, repeats: 0, opted_out: 0 }
export const countsOf = ({ counts }: Evidence, day: string): DayCounts => counts.get(day) ?? NOTHING

export function judge(day: string, judging: Judging): JudgedDay {
  const { evidence, as_of, rules } = judging
  const counts = countsOf(evidence, day)
  const missing = missingOf(day, judging)
  const proven =
    counts.browser > 0 ||
    evidence.proofs.has(day) ||
    (rules.loads_prove_zero && evidence.loads.has(day)) ||
    (rules.servers_prove_days && counts.server > 0)
  const as = (state: JudgedDay['state'], reason: string | null, is_proven = proven): JudgedDay => {
    const is_counted = state !== 'gap' && (is_proven || (judging.counts_servers && counts.server > 0))
    return {
      day,
      state,
      reason,
      is_proven: is_proven && state !== 'gap',
      is_counted,
      missing: is_counted ? missing : [],
    }
  }
  const begins = browsersFrom(evidence)
  const first = evidence.first_event_at === null ? null : dayOf(evidence.first_event_at)
  if (!evidence.is_installed) return as('gap', 'not_installed', false)
  if (first === null || (day < first && (begins === null || day < begins)))
    return as('gap', 'before_first_event', false)

  const from = Date.parse(day)
  const data_through = judging.data_through ?? from
  // So far, on the open day.
  const to = Math.min(from + DAY, as_of)
  const accepted = counts.browser + counts.server > 0
  if (evidence.outages.some((outage) => outage.from <= from && outage.to >= Math.min(to, data_through)) && !accepted)
    return as('gap', 'collection_interrupted', false)
  if (data_through < from) return as('gap', 'not_yet_readable', false)
  const pauses = evidence.pauses.map((pause) => ({ from: pause.from, to: pause.to ?? as_of }))
  if (pauses.some((pause) => pause.from <= from && pause.to >= to) && !accepted)
    return as('gap', rules.pauses_are_outages ? 'collection_interrupted' : 'disabled', false)

  const partial = partialReason()
  if (proven)
    return partial === null
      ? as(missing.length > 0 ? 'partial' : 'complete', missing.length > 0 ? 'events_refused' : null)
      : as('partial', partial)
  const came =
    begins !== null && day >= begins
      ? counts.opted_out > 0
        ? 'visitors_opted_out'
        : evidence.loads.has(day)
          ? 'loads_without_events'
          : null
      : null
  if (judging.counts_servers && counts.server > 0) return as('partial', partial ?? came ?? 'no_signal')
  return came === null ? as('gap', 'no_signal') : as('partial', came)

  function partialReason(): string | null {
    const touches = (interval: { from: Instant; to: Instant }) =>
      Math.min(interval.to, to) - Math.max(interval.from, from)
    if (evidence.outages.some((outage) => touches(outage) > rules.outage_ms)) return 'collection_interrupted'
    const lag = to - data_through
    if (from + DAY <= as_of ? lag > 0 : lag > 5 * MINUTE) return 'not_yet_readable'
    if (pauses.some((pause) => touches(pause) > 0))
      return rules.pauses_are_outages ? 'collection_interrupted' : 'disabled'
    return day === begins && rules.first_day_is_partial ? 'evidence_begins' : null
  }
}

/** The day of the first browser event or proven snippet. */
function browsersFrom({ events, proofs }: Evidence): string | null {
  const seen = events.filter(({ stream }) => stream === 'browser').map(({ at }) => dayOf(at))
  return [...seen, ...proofs].sort()[0] ?? null
}

/**
 * Refused events from three visitors or more, and over one in a thousand of the accepted events of their name (of all,
 * for pageviews and keys).
 */
function missingOf(day: string, { evidence, rules, isMissed }: Judging): Missing[] {
  const ofDay = evidence.missing.filter((missing) => missing.day === day)
  return [...Map.groupBy(ofDay, ({ group }) => group)].flatMap(([group, missing]) => {
    const accepted = evidence.events.filter(
      ({ at, name }) => dayOf(at) === day && (group.startsWith(':') || name === group),
    )
    const visitors = new Set(missing.map(({ visitor }) => visitor)).size
    const first_at = missing[0]?.at ?? 0
    const counts = visitors >= rules.refused_visitors && missing.length > accepted.length / 1_000
    return counts && isMissed({ day, group, first_at }) ? missing : []
  })
}

/** The days of a window, oldest first. */
export function daysOf(as_of: Instant, count: number): string[] {
  const today = dayStart(as_of)
  return Array.from({ length: count }, (_, index) => dayOf(today - (count - 1 - index) * DAY))
}

/** Maximal ranges of gap days. */
export function gapsOf(days: readonly JudgedDay[]): { from: string; to: string }[] {
  const gaps: { from: string; to: string }[] = []
  for (const [index, { day, state }] of days.entries()) {
    if (state !== 'gap') continue
    const last = gaps.at(-1)
    if (last !== undefined && days[index - 1]?.state === 'gap') last.to = day
    else gaps.push({ from: day, to: day })
  }
  return gaps
}
