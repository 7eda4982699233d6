/** What every answer begins with: the window, its days, and the envelope that describes them (rules 6). */
import { UNPREDICTED } from '../compare.ts'
import { type Ask, DAY, dayOf, type History, HOUR, type Instant, MINUTE } from '../history.ts'
import { countsOf, daysOf, gapsOf, type JudgedDay, type Judging, judge } from './days.ts'
import { type Evidence, gather } from './evidence.ts'
import type { Rules } from './rules.ts'
import { type Session, sessionsOf } from './sessions.ts'

export interface Reading {
  ask: Ask
  rules: Rules
  evidence: Evidence
  as_of: Instant
  data_through: Instant | null
  cutoff: Instant
  is_measured: boolean
  isMissed: Missed
  /** Oldest first. */
  days: JudgedDay[]
  /** Days of which visits are known. */
  proven: Set<string>
  /** Days of which the answer has numbers. */
  counted: Set<string>
  /** Sessions of the proven days. */
  sessions: Session[]
}

const LENGTHS = { '3d': 3, '7d': 7, '30d': 30, '90d': 90 }

type Missed = Judging['isMissed']

export function read(history: History, as_of: Instant, ask: Ask, rules: Rules, isMissed: Missed): Reading {
  const evidence = gather(history, as_of, rules)
  return readDays({ evidence, as_of, ask, rules, isMissed }, daysOf(as_of, LENGTHS[ask.window]))
}

export interface ReadDays {
  evidence: Evidence
  as_of: Instant
  ask: Ask
  rules: Rules
  isMissed: Missed
}

export function readDays({ evidence, as_of, ask, rules, isMissed }: ReadDays, range: readonly string[]): Reading {
  // The collector that is asked is up, and what it accepted is stored before it is asked.
  const data_through = evidence.is_installed ? as_of : null
  const cutoff = Math.min(as_of, data_through ?? as_of)
  const counts_servers = ask.reader === 'conversions' || ask.reader === 'revenue'
  const days = range.map((day) => judge(day, { evidence, as_of, data_through, counts_servers, isMissed, rules }))
  const proven = new Set(days.filter(({ is_proven }) => is_proven).map(({ day }) => day))
  const counted = new Set(days.filter(({ is_counted }) => is_counted).map(({ day }) => day))
  if (rules.gap_is_zero) for (const { day } of days) proven.add(day)
  return {
    ask,
    rules,
    evidence,
    as_of,
    data_through,
    cutoff,
    isMissed,
    days,
    proven,
    counted,
    is_measured: evidence.first_event_at !== null,
    sessions: sessionsOf(evidence, proven, cutoff, rules),
  }
}

export const instant = (at: Instant): string => new Date(at).toISOString()
export const instantOrNull = (at: Instant | null): string | null => (at === null ? null : instant(at))

const EVALUATORS: Partial<Record<Ask['reader'], string>> = {
  funnel: 'funnel-evaluator/v1',
  funnels: 'funnel-evaluator/v1',
  journeys: 'journeys/v1',
  revenue: 'revenue/v1',
}

/**
 * `contract`: the name of the answer's contract, as in `analytics-pages/v1`; `also`: limitations that the answer always
 * has.
 */
export function envelope(reading: Reading, contract: string, also: readonly string[] = []): Record<string, unknown> {
  const { as_of, data_through, cutoff, days, ask, evidence, is_measured } = reading
  return {
    contract_version: contract,
    as_of: instant(as_of),
    window: { preset: ask.window, from: days[0]?.day, to: days.at(-1)?.day, cutoff: instant(cutoff) },
    available_from: evidence.first_event_at === null ? null : dayOf(evidence.first_event_at),
    data_through: instantOrNull(data_through),
    measurement_state: !evidence.is_installed ? 'uninstalled' : is_measured ? 'measured' : 'awaiting_first_evidence',
    completeness: completenessOf(reading, also),
    freshness: freshnessOf(reading),
    operational: {
      contract_version: 'operational/v1',
      subject: 'core_collection',
      ...operationalOf(reading),
      // Which check is meant, the specification leaves open.
      checked_at: UNPREDICTED,
      coverage: { mode: 'browser_tracker', observed_only: true },
    },
    provenance: {
      module: 'analytics',
      evidence: 'browser_tracker',
      evaluator_version: EVALUATORS[ask.reader] ?? 'sessions/v1',
      order_basis: 'worker_receipt_time_then_persisted_funnel_order_v1',
      session_scope: 'same_utc_day_30_minute_inactivity',
    },
  }
}

/** Why days are less than complete, and who was left out, in the order of the alphabet. */
export function limitationsOf({ days, evidence }: Pick<Reading, 'days' | 'evidence'>): string[] {
  const reasons = days.flatMap(({ reason, missing }) => [reason, missing.length > 0 ? 'events_refused' : null])
  const opted_out = days.some(({ day }) => countsOf(evidence, day).opted_out > 0)
  const all = [...reasons, opted_out ? 'opted_out_visitors_not_counted' : null]
  return [...new Set(all.filter((reason) => reason !== null))].sort()
}

export function completenessOf(reading: Reading, also: readonly string[] = []) {
  const { is_measured, evidence, days } = reading
  return {
    state: is_measured ? 'partial' : 'unknown',
    // Without a tracker all is unknown, and nothing is a gap, as with a site without sources (rules 3).
    gaps: evidence.is_installed ? gapsOf(days) : [],
    limitations: [...limitationsOf(reading), ...(is_measured ? ['observed_browsers_only'] : []), ...also].sort(),
  }
}

const isDisabled = ({ pauses }: Evidence) => pauses.some(({ to }) => to === null)

function freshnessOf({ data_through, as_of, evidence }: Reading) {
  const state =
    data_through === null || isDisabled(evidence)
      ? 'unavailable'
      : as_of - data_through <= 5 * MINUTE
        ? 'current'
        : 'stale'
  // Its words are left open.
  return { state, limitations: UNPREDICTED }
}

function operationalOf({ evidence, as_of, is_measured }: Reading) {
  if (!evidence.is_installed) return { state: 'not_set_up', reason_code: null }
  if (isDisabled(evidence)) return { state: 'disabled', reason_code: 'disabled_by_owner' }
  // What is refused within the hour may be half of it, and the first hour of a collector reports nothing.
  const refused = evidence.refusals.some((at) => as_of - at <= HOUR)
  if (refused) return { state: UNPREDICTED, reason_code: UNPREDICTED }
  if (!is_measured) return { state: 'connecting', reason_code: 'no_event_yet' }
  const silent = as_of - (evidence.last_proof_at ?? evidence.first_event_at ?? as_of) > DAY
  if (silent && evidence.inspection?.found === false) return { state: 'needs_attention', reason_code: 'no_signal' }
  return { state: 'live', reason_code: null }
}
