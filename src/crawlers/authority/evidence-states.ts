/** States of evidence of assigned hosts: of one host in an assignment period, and the worst of several (rules 5). */
import { HOUR_MS } from '#clock.ts'
import type { EvidenceState } from '#contract/vocabulary.ts'
import type { SourceRow } from '#control/tables.ts'
import { RANK } from '../coverage/host-day-completeness.ts'
import type { AssignmentPeriod } from './count-assigned.ts'

const STALE_MS = 2 * HOUR_MS

/** Worst first: of several hosts the worst is published (spec 1.5). */
const WORST_FIRST: readonly EvidenceState[] = ['unknown', 'unavailable', 'stale', 'gap', 'partial', 'complete']

/** The source's current state matters only while the assignment is in force; an ended one has that of its worst day. */
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
    if (group?.data_through !== undefined && group.data_through !== null && asOf - group.data_through >= STALE_MS) {
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

/** Unknown only while nothing is assigned; a host that no source counts makes the result incomplete. */
export function worstEvidenceState(states: readonly EvidenceState[], hasUnassigned: boolean): EvidenceState {
  const worst = WORST_FIRST.find((state) => states.includes(state)) ?? 'unknown'
  return worst === 'complete' && hasUnassigned ? 'partial' : worst
}
