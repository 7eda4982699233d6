/** Builds the `meta` of tracker answers (spec 2.6), without `configuration` and `pagination` (rules 6). */
import { instantText } from '#clock.ts'
import { DEVELOPMENT_INCLUDED } from '../development/include.ts'
import type { OpenedReading } from './open-reading.ts'
import type { TrackerReading } from './reading.ts'

interface EnvelopeParts<Version extends string, Evaluator extends string, Preset extends string> {
  contract_version: Version
  evaluator_version: Evaluator
  preset: Preset
  /** Limitations of the operation itself, in addition to those of the evidence. */
  limitations?: readonly string[]
}

/** A tracker observes only the browsers that run it, so a window is never complete (rules 6). */
const OBSERVED_ONLY = 'observed_browsers_only'
/** Numbers are exact for the visitors who allow counting; the others are not counted. */
const OPTED_OUT = 'opted_out_visitors_not_counted'

/** Limitations of numbers that do not make a day incomplete. */
export const caveatsOf = (reading: Pick<TrackerReading, 'has_opted_out' | 'has_development'>): string[] => [
  ...(reading.has_development ? [DEVELOPMENT_INCLUDED] : []),
  ...(reading.has_opted_out ? [OPTED_OUT] : []),
]

export function envelope<Version extends string, Evaluator extends string, Preset extends string>(
  reading: OpenedReading,
  { contract_version, evaluator_version, preset, limitations = [] }: EnvelopeParts<Version, Evaluator, Preset>,
) {
  const { range, scope, data_through, available_from, freshness, operational } = reading
  const began = available_from !== null
  return {
    contract_version,
    as_of: instantText(reading.as_of),
    window: { preset, from: range.from, to: range.to, cutoff: instantText(scope.cutoff) },
    available_from,
    data_through: data_through === null ? null : instantText(data_through),
    measurement_state: reading.measurement_state,
    completeness: {
      state: began ? ('partial' as const) : ('unknown' as const),
      gaps: reading.gaps,
      limitations: [
        ...new Set([...reading.limitations, ...caveatsOf(reading), ...(began ? [OBSERVED_ONLY] : []), ...limitations]),
      ].sort(),
    },
    freshness,
    operational,
    provenance: {
      module: 'analytics' as const,
      evidence: 'browser_tracker' as const,
      evaluator_version,
      order_basis: 'worker_receipt_time_then_persisted_funnel_order_v1' as const,
      session_scope: 'same_utc_day_30_minute_inactivity' as const,
    },
  }
}
