/** The life of an issue as a pure function: (life, evidence, inspection) → life and what changed (rules 8.2). */
import { DAY_MS, HOUR_MS } from '#clock.ts'
import { ISSUE_STATES, type LifeChange, type LifeState } from '#contract/vocabulary.ts'

/** Whether an inspection reproduced the harm; `unknown`: Spoor was served as itself and refused as the crawler. */
export type Reproduced = 'yes' | 'no' | 'unknown'

/** Instants are epoch milliseconds, UTC. */
export interface IssueLife {
  state: LifeState
  /** When it opened or last regressed; earlier inspections do not count. */
  opened_at: number
  /** The newest harmful request. */
  last_harm_at: number
  /** The result of the first inspection after opening or regressing; null until it has run. */
  baseline: Reproduced | null
  /** The first of the consecutive clean inspections since the last harm. */
  clean_since: number | null
  /** When the fix was detected: the instant of the clean inspection, or of the evidence that replaced it. */
  fix_detected_at: number | null
  fix_confirmed_at: number | null
}

/** Evidence from the unit's requests, of at least its weakest identity and from the vantage of its harm. */
export interface LifeEvidence {
  now: number
  /** The newest harmful request; null: the evidence has none. */
  last_harm_at: number | null
  /** Harmful requests meet the rule by themselves after the fix was detected. */
  is_harmed_after_fix: boolean
  /** The instant of the third success after the last harm and the detected fix; null: no organic success yet. */
  organic_success_at: number | null
  /** A day of complete coverage without harmful requests has passed. */
  is_quiet_day: boolean
  /** With current labels and sources, the harmful requests of the issue no longer meet the rule. */
  is_refuted: boolean
}

/** The result of the unit's newest inspection. */
export interface InspectionFinding {
  /** When it ended. */
  at: number
  /**
   * `clean`: served as the crawler, and allowed by robots.txt. `served`: the same, but robots.txt is not known.
   * `served_to_us_only`: refused as the crawler, served as Spoor. `not_possible`: the path is redacted or cut, or leads
   * to an address that Spoor does not request.
   */
  outcome: 'clean' | 'served' | 'harmed' | 'served_to_us_only' | 'not_possible' | 'inconclusive'
}

export interface Advanced {
  life: IssueLife
  /** In order; empty: the state is unchanged. */
  changes: LifeChange[]
}

const BETWEEN_INSPECTIONS_MS = HOUR_MS
const LAPSES_AFTER_MS = 90 * DAY_MS
const CLOSES_AFTER_MS = 30 * DAY_MS

/** The life of a new issue. @param baseline `yes` if an inspection has already reproduced the harm. */
export const openLife = (opened_at: number, last_harm_at: number, baseline: Reproduced | null = null): IssueLife => ({
  state: 'open',
  opened_at,
  last_harm_at,
  baseline,
  clean_since: null,
  fix_detected_at: null,
  fix_confirmed_at: null,
})

/** Whether `getIssues` lists issues in this state. */
export const isListed = (state: LifeState): boolean => (ISSUE_STATES as readonly LifeState[]).includes(state)

/**
 * The next life of an issue. Repeating it with the same evidence and inspection changes nothing. @param newest null:
 * the unit was never inspected.
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

/** Records new harm and a new inspection; the state stays the same. */
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

/** The baseline by an inspection; null if the inspection could not be made. */
function reproducedBy({ outcome }: InspectionFinding): Reproduced | null {
  if (outcome === 'harmed') return 'yes'
  if (outcome === 'clean' || outcome === 'served') return 'no'
  return outcome === 'served_to_us_only' ? 'unknown' : null
}

/**
 * When the fix was detected; null: it is not. An inspection that failed on Spoor's side never shows a fix, but for a
 * path that Spoor may not request, evidence alone does.
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

/** Results that neither prove nor disprove a repair: requests decide. */
const SHOWN_BY_REQUESTS: ReadonlySet<InspectionFinding['outcome']> = new Set([
  'served',
  'served_to_us_only',
  'not_possible',
])

/** Advances an issue whose fix was detected: it regresses, is confirmed, lapses or closes. */
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
