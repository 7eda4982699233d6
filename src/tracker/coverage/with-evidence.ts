/** What an answer does when its evidence cannot be read (spec 4.2, rules 6). */
import Type from 'typebox'
import { keepingBuilds } from '#derived/kept-rows.ts'
import { EvidenceError } from '#evidence/errors.ts'
import { observeEvidence } from '#evidence/observe.ts'
import { rows, uuid } from '#evidence/sql.ts'
import type { EvidenceStore, StatementLimits } from '#evidence/store.ts'
import { Refusal } from '#refusal.ts'
import type { TrackerContext } from '../context.ts'
import type { OpenedReading } from './open-reading.ts'
import { isStrict } from './readers.ts'

/** Days that cannot be evaluated within this are as good as unreadable (rules 6). */
export const READ_LIMITS: StatementLimits = { max_seconds: 10 }

type EvidenceContext = Pick<TrackerContext, 'clock' | 'derived' | 'evidence' | 'site'>

/**
 * Runs the statements of an answer on the store that `work` is given. An answer that needs none asks whether the store
 * can be read, so that it says the same of it as the others. When the store cannot answer, readers of funnels, journeys
 * and revenue refuse, and the others answer what `unavailable` makes of a reading without evidence: `measurement_state`
 * unavailable, every number null.
 * @throws Refusal reader_unavailable of a strict reader; a defect of a statement stays what it is.
 */
export async function withEvidence<T, R extends OpenedReading>(
  ctx: EvidenceContext,
  reading: R,
  work: (evidence: EvidenceStore, limits: StatementLimits) => Promise<T>,
  unavailable?: (reading: R) => T,
): Promise<T> {
  let statements = 0
  const observed = observeEvidence(ctx.evidence, ctx.clock, () => statements++)
  const evidence = keepingBuilds(observed, ctx.derived.answers)
  try {
    const answer = await work(evidence, READ_LIMITS)
    if (statements === 0) await ctx.evidence.all(anyEvent(ctx.site.id), READ_LIMITS)
    return answer
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

const anyEvent = (site_id: string) => rows(Type.Object({ found: Type.Integer() }))`
  SELECT 1 AS found FROM spoor.events WHERE site_id = ${uuid(site_id)} LIMIT 1`

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
