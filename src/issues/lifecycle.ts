/** The life of an issue as a pure function: (life, evidence, inspection) → life and what changed (rules 8.2). */
import { DAY_MS, HOUR_MS } from '#clock.ts'
import { ISSUE_STATES, type LifeChange, type LifeState } from '#contract/vocabulary.ts'

/** Whether an inspection met the harm; `unknown`: Spoor was served as itself and refused as the crawler. */
export type Reproduced = 'yes' | 'no' | 'unknown'

/** Instants are epoch milliseconds, UTC. */
export interface IssueLife {
  state: LifeState
  /** When it was opened, or regressed last: inspections of before say nothing of it. */
  opened_at: number
  /** The newest harmful request that counted. */
  last_harm_at: number
  /** What the first inspection after opening or regressing found; null until it has run. */
  baseline: Reproduced | null
  /** The first of the clean inspections that followed each other since the last harm. */
  clean_since: number | null
  /** When the fix was detected: the instant of the clean inspection, or of the evidence that stood in for one. */
  fix_detected_at: number | null
  fix_confirmed_at: number | null
}

/** What the counted requests of the unit show, of at least the weakest identity and from the vantage of its harm. */
export interface LifeEvidence {
  now: number
  /** The newest harmful request; null: none in the evidence at hand. */
  last_harm_at: number | null
  /** Harmful requests meet the rule by themselves after the fix was detected. */
  is_harmed_after_fix: boolean
  /**
   * The instant of the third success of an organic success after the last harm and after the detected fix; null without
   * one.
   */
  organic_success_at: number | null
  /** The last 24 hours were covered completely and hold no harmful request. */
  is_quiet_day: boolean
  /** The harmful requests that the issue rests on no longer meet the rule under the labels and sources of now. */
  is_refuted: boolean
}

/** What the newest inspection of the unit found. */
export interface InspectionFinding {
  /** When it ended. */
  at: number
  /**
   * `clean`: served as the crawler. `served`: the same, but what robots.txt says to it is not known.
   * `served_to_us_only`: refused as the crawler, served as ourselves. `not_possible`: the path is redacted or cut, or
   * leads where Spoor does not go, and is never fetched.
   */
  outcome: 'clean' | 'served' | 'harmed' | 'served_to_us_only' | 'not_possible' | 'inconclusive'
}

export interface Advanced {
  life: IssueLife
  /** In their order; empty: the state is unchanged. */
  changes: LifeChange[]
}

const BETWEEN_INSPECTIONS_MS = HOUR_MS
const LAPSES_AFTER_MS = 90 * DAY_MS
const CLOSES_AFTER_MS = 30 * DAY_MS

/**
 * A new life, at the first detection of harm. @param baseline `yes` where an inspection that met the harm had to come
 * before.
 */
export const openLife = (opened_at: number, last_harm_at: number, baseline: Reproduced | null = null): IssueLife => ({
  state: 'open',
  opened_at,
  last_harm_at,
  baseline,
  clean_since: null,
  fix_detected_at: null,
  fix_confirmed_at: null,
})

/** Whether lists of issues show this state. */
export const isListed = (state: LifeState): boolean => (ISSUE_STATES as readonly LifeState[]).includes(state)

/**
 * Repeating it with the same evidence and inspection changes nothing more. @param newest null: the unit was never
 * inspected.
 */
export function advance(life: IssueLife, evidence: LifeEvidence, newest: InspectionFinding | null): Advanced {
  if (!isListed(life.state)) return unchanged(life)
  if (evidence.is_refuted) return moved({ ...life, state: 'withdrawn' }, 'withdrawn')
  const inspection = newest !== null && newest.at > life.opened_at ? newest : null
  const known = note(life, evidence, inspection)
  if (life.fix_detected_at !== null) return advanceFixed(known, evidence)
  const fixed_at = fixInstant(known, evidence, inspection)
  if (fixed_at !== null) {
    return moved({ ...known, state: 'fix_detected', fix_detected_at: fixed_at }, 'fix_detected')
  }
  return isLapsed(known, evidence) ? moved({ ...known, state: 'lapsed' }, 'lapsed') : unchanged(known)
}

/** Takes in new harm and a new inspection, without a move. */
function note(life: IssueLife, evidence: LifeEvidence, inspection: InspectionFinding | null): IssueLife {
  const last_harm_at = Math.max(life.last_harm_at, evidence.last_harm_at ?? life.last_harm_at)
  const before = life.clean_since !== null && life.clean_since > last_harm_at ? life.clean_since : null
  if (inspection === null) return { ...life, last_harm_at, clean_since: before }
  const is_clean = inspection.outcome === 'clean' && inspection.at > last_harm_at
  return {
    ...life,
    last_harm_at,
    baseline: life.baseline ?? reproducedBy(inspection),
    clean_since: is_clean ? (before ?? inspection.at) : null,
  }
}

/** A baseline that could not be made decides nothing. */
function reproducedBy({ outcome }: InspectionFinding): Reproduced | null {
  if (outcome === 'harmed') return 'yes'
  if (outcome === 'clean' || outcome === 'served') return 'no'
  return outcome === 'served_to_us_only' ? 'unknown' : null
}

/**
 * When the fix was detected, or null. An inspection that could not be made never moves an issue, but a path that may
 * not be fetched does.
 */
function fixInstant(life: IssueLife, evidence: LifeEvidence, inspection: InspectionFinding | null): number | null {
  if (inspection === null) return null
  const is_shown = evidence.is_quiet_day && evidence.organic_success_at !== null
  if (SHOWN_BY_REQUESTS.has(inspection.outcome)) return is_shown ? evidence.now : null
  if (inspection.outcome !== 'clean' || life.clean_since === null) return null
  if (life.baseline !== 'yes' && !is_shown) return null
  const is_recent = evidence.now - life.last_harm_at < DAY_MS
  if (is_recent && inspection.at - life.clean_since < BETWEEN_INSPECTIONS_MS) return null
  return inspection.at
}

/** What proves no repair by itself, and does not speak against one. */
const SHOWN_BY_REQUESTS: ReadonlySet<InspectionFinding['outcome']> = new Set([
  'served',
  'served_to_us_only',
  'not_possible',
])

/** A fix was detected: it regresses, is confirmed, or comes to its end. */
function advanceFixed(life: IssueLife, evidence: LifeEvidence): Advanced {
  if (evidence.is_harmed_after_fix) {
    const again = { ...openLife(evidence.now, life.last_harm_at), state: 'regressed' as const }
    return moved(again, 'regressed')
  }
  if (life.fix_confirmed_at === null) {
    if (evidence.organic_success_at !== null) {
      return moved({ ...life, fix_confirmed_at: evidence.organic_success_at }, 'fix_confirmed')
    }
    return isLapsed(life, evidence) ? moved({ ...life, state: 'lapsed' }, 'lapsed') : unchanged(life)
  }
  const is_over = evidence.now - life.fix_confirmed_at >= CLOSES_AFTER_MS
  return is_over ? moved({ ...life, state: 'closed' }, 'closed') : unchanged(life)
}

const isLapsed = (life: IssueLife, { now }: LifeEvidence): boolean => now - life.last_harm_at >= LAPSES_AFTER_MS
const unchanged = (life: IssueLife): Advanced => ({ life, changes: [] })
const moved = (life: IssueLife, change: LifeChange): Advanced => ({ life, changes: [change] })
