/** What an answer about visitors says about its own evidence: the envelope of spec 2.6 (rules 6). */
import Type from 'typebox'
import { Count, closed, Day, Instant, oneOf, orNull } from './fields.ts'
import * as vocabulary from './vocabulary.ts'

export const ranges = Type.Array(closed({ from: Day, to: Day }))
export const limitations = Type.Array(Type.String())
export const TrackerCompleteness = closed({
  state: oneOf(vocabulary.TRACKER_COMPLETENESSES),
  gaps: ranges,
  limitations,
})

export type Operational = Type.Static<typeof Operational>
export const Operational = closed({
  contract_version: Type.Literal('operational/v1'),
  subject: Type.Literal('core_collection'),
  state: oneOf(vocabulary.OPERATIONAL_STATES),
  reason_code: orNull(Type.String()),
  checked_at: orNull(Instant),
  coverage: closed({ mode: Type.Literal('browser_tracker'), observed_only: Type.Literal(true) }),
})

export const Pagination = closed({
  limit: Type.Integer({ minimum: 1, maximum: 100 }),
  returned_count: Type.Integer({ minimum: 0, maximum: 100 }),
  total_count: Count,
  truncated: Type.Boolean(),
})

/** The fields that every envelope has; `presets` are the windows that the operation takes. */
export const envelopeFields = <
  const Version extends string,
  const Evaluator extends string,
  Presets extends [string, ...string[]],
>(
  version: Version,
  evaluator: Evaluator,
  presets: readonly [...Presets],
) => ({
  contract_version: Type.Literal(version),
  as_of: Instant,
  window: closed({ preset: oneOf(presets), from: Day, to: Day, cutoff: Instant }),
  available_from: orNull(Day),
  data_through: orNull(Instant),
  measurement_state: oneOf(vocabulary.MEASUREMENT_STATES),
  completeness: TrackerCompleteness,
  freshness: closed({ state: oneOf(vocabulary.FRESHNESSES), limitations }),
  operational: Operational,
  provenance: closed({
    module: Type.Literal('analytics'),
    evidence: Type.Literal('browser_tracker'),
    evaluator_version: Type.Literal(evaluator),
    order_basis: Type.Literal('worker_receipt_time_then_persisted_funnel_order_v1'),
    session_scope: Type.Literal('same_utc_day_30_minute_inactivity'),
  }),
})
