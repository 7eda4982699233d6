/** The state of evidence of one host in an assignment period, and the worst state of several hosts (rules 5). */
import type { EvidenceState } from '#contract/vocabulary.ts'
import type { SourceRow } from '#control/tables.ts'
import { FRESH_MS, RANK } from '../coverage/host-day-completeness.ts'
import type { AssignmentPeriod } from './count-assigned.ts'

/** Worst first: of several hosts the worst is published (spec 1.5). */
const WORST_FIRST: readonly EvidenceState[] = ['unknown', 'unavailable', 'stale', 'gap', 'partial', 'complete']

/**
 * The source's own state matters only while the assignment is in force; an ended one has the state of its worst day.
 */
export function evidenceState(
  ranks: Uint8Array,
  { group }: AssignmentPeriod,
  source: SourceRow | undefined,
  isCurrent: boolean,
  asOf: number,
): EvidenceState {
  if (isCurrent) {
    if (source !== undefined && ['error', 'revoked', 'disconnected'].includes(source.connection_status)) {
      return 'unavailable'
    }
    if (group?.data_through !== undefined && group.data_through !== null && asOf - group.data_through >= FRESH_MS) {
      return 'stale'
    }
  }
  return rankState(Math.min(...ranks))
}

/** A day's RANK as a state of evidence. */
export function rankState(rank: number): EvidenceState {
  if (rank === RANK.complete) return 'complete'
  return rank === RANK.partial ? 'partial' : 'gap'
}

/** `unknown` only if nothing is assigned. A host that no source counts makes `complete` `partial`. */
export function worstEvidenceState(states: readonly EvidenceState[], hasUnassigned: boolean): EvidenceState {
  const worst = WORST_FIRST.find((state) => states.includes(state)) ?? 'unknown'
  return worst === 'complete' && hasUnassigned ? 'partial' : worst
}
