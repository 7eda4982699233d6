/** Reads about visitors that only the dashboard has (decisions 7.4). */
import Type from 'typebox'
import { Day, Instant, oneOf, orNull } from '../fields.ts'
import { site } from '../management-api/define.ts'
import type { InputOf, OutputOf } from '../operation.ts'
import { shortWindow, window } from '../parameters.ts'
import { getAnalyticsFunnel } from '../site-api/funnels.ts'
import { Operational } from '../tracker-meta.ts'
import { FRESHNESSES, MEASUREMENT_STATES } from '../vocabulary.ts'
import { readOfSite } from './define.ts'

export const getTrackerCoverage = readOfSite(
  'getTrackerCoverage',
  'How whole the collection of events was on each day',
  {
    input: Type.Object({ site, window }),
    output: Type.Object({
      as_of: Instant,
      window: Type.Object({ from: Day, to: Day }),
      measurement_state: oneOf(MEASUREMENT_STATES),
      data_through: orNull(Instant),
      freshness: Type.Object({ state: oneOf(FRESHNESSES), limitations: Type.Array(Type.String()) }),
      operational: Operational,
      /** A day has a limitation unless it is complete. */
      days: Type.Array(
        Type.Object({ date: Day, state: oneOf(['complete', 'partial', 'gap']), limitation: orNull(Type.String()) }),
      ),
    }),
  },
)
export type TrackerCoverage = OutputOf<typeof getTrackerCoverage>
export type TrackerCoverageInput = InputOf<typeof getTrackerCoverage>

export const previewFunnel = {
  ...readOfSite('previewFunnel', 'What a funnel that nobody stored would answer for a window', {
    permission: 'edit_definitions',
    input: Type.Object({ site, window: shortWindow, definition: Type.Unknown() }),
    output: getAnalyticsFunnel.output,
  }),
  /** Steps are longer than addresses may be. */
  method: 'POST',
} as const
export type FunnelPreview = OutputOf<typeof previewFunnel>
export type FunnelPreviewInput = InputOf<typeof previewFunnel>

export const visitorReads = [getTrackerCoverage, previewFunnel] as const
