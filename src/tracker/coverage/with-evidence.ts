/** What an answer does when its evidence cannot be read (spec 4.2, rules 6). */
import { EvidenceError } from '#evidence/errors.ts'
import type { StatementLimits } from '#evidence/store.ts'
import { Refusal } from '#refusal.ts'
import type { OpenedReading } from './open-reading.ts'
import { isStrict } from './readers.ts'

/** Days that cannot be evaluated within this are as good as unreadable (rules 6). */
export const READ_LIMITS: StatementLimits = { max_seconds: 10 }

/**
 * Runs the statements of an answer. When the store cannot answer them, readers of funnels, journeys and revenue refuse, and the others
 * answer what `unavailable` makes of a reading without evidence: `measurement_state` unavailable, every number null.
 * @throws Refusal reader_unavailable of a strict reader; a defect of a statement stays what it is.
 */
export async function withEvidence<T, R extends OpenedReading>(
  reading: R,
  work: (limits: StatementLimits) => Promise<T>,
  unavailable?: (reading: R) => T,
): Promise<T> {
  try {
    return await work(READ_LIMITS)
  } catch (error) {
    if (!(error instanceof EvidenceError) || error.kind === 'bug') throw error
    if (isStrict(reading.reader) || unavailable === undefined) {
      throw new Refusal(
        'reader_unavailable',
        'The evidence cannot be read at the moment, and an answer without it would be a guess: ask again later.',
      )
    }
    return unavailable(withoutEvidence(reading))
  }
}

/** The same reading when nothing of its evidence could be read: what was collected stays known, numbers are not. */
function withoutEvidence<R extends OpenedReading>(reading: R): R {
  return {
    ...reading,
    measurement_state: 'unavailable',
    has_evidence: false,
    is_whole: false,
    scope: { ...reading.scope, builds: [], fact_days: [] },
    freshness: { state: 'unavailable', limitations: ['evidence_unreadable'] },
    limitations: [...new Set([...reading.limitations, 'evidence_unreadable'])].sort(),
  }
}
