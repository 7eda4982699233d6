/** Runs the statements of an answer, and handles an evidence store that cannot answer (spec 4.2, rules 6). */
import Type from 'typebox'
import { withBuildCache } from '#derived/build-row-cache.ts'
import { EvidenceError } from '#evidence/errors.ts'
import { observeEvidence } from '#evidence/observe.ts'
import { rows, uuid } from '#evidence/sql.ts'
import type { EvidenceStore, StatementLimits } from '#evidence/store.ts'
import { Refusal } from '#refusal.ts'
import type { TrackerContext } from '../context.ts'
import type { OpenedReading } from './open-reading.ts'
import { isStrict } from './readers.ts'

/** A statement that takes longer counts as an evidence store that cannot answer (rules 6). */
export const READ_LIMITS: StatementLimits = { max_seconds: 10 }

type EvidenceContext = Pick<TrackerContext, 'clock' | 'derived' | 'evidence' | 'site'>

/**
 * Calls `work` with the evidence store and its limits. If `work` runs no statement, a statement of one row checks that
 * the store can answer, so that all readers report a failure alike. If the store cannot answer, strict readers
 * (`isStrict`) refuse, and the others return `unavailable(reading)`, with a reading without evidence:
 * `measurement_state` is `unavailable` and every number null.
 * @throws Refusal reader_unavailable for a strict reader; EvidenceError of the kind `bug`.
 */
export async function withEvidence<T, R extends OpenedReading>(
  ctx: EvidenceContext,
  reading: R,
  work: (evidence: EvidenceStore, limits: StatementLimits) => Promise<T>,
  unavailable?: (reading: R) => T,
): Promise<T> {
  let statements = 0
  const observed = observeEvidence(ctx.evidence, ctx.clock, () => statements++)
  const evidence = withBuildCache(observed, ctx.derived.answers)
  try {
    const answer = await work(evidence, READ_LIMITS)
    if (statements === 0) await ctx.evidence.all(anyEvent(ctx.site.id), READ_LIMITS)
    return answer
  } catch (error) {
    if (!(error instanceof EvidenceError) || error.kind === 'bug') throw error
    if (isStrict(reading.reader) || unavailable === undefined) {
      throw new Refusal(
        'reader_unavailable',
        'The evidence store cannot answer at the moment: repeat the request later.',
      )
    }
    return unavailable(withoutEvidence(reading))
  }
}

const anyEvent = (site_id: string) => rows(Type.Object({ found: Type.Integer() }))`
  SELECT 1 AS found FROM spoor.events WHERE site_id = ${uuid(site_id)} LIMIT 1`

/** The reading if the evidence store cannot answer: coverage stays known, numbers are unknown. */
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
