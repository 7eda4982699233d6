/** Decides the states of a funnel, that is, the quality of its numbers (rules 6.10). */

import type { Static } from 'typebox'
import { instantText } from '#clock.ts'
import type { Funnel } from '#contract/site-api/funnels.ts'
import { EVENTS_REFUSED, missesMatched } from '../coverage/missing-events.ts'
import type { TrackerDay } from '../coverage/reading.ts'
import type { FunnelRevision } from '../definitions/definitions.ts'
import { PROPERTY_DECLARED_LATER } from '../definitions/late-properties.ts'
import { daysObserved } from '../definitions/observed-days.ts'
import type { FunnelCount } from './count-funnels.ts'
import type { FunnelReading } from './open-funnels.ts'
import { isEffective, matchersOf } from './open-funnels.ts'

type FunnelAnswer = Static<typeof Funnel>
type Coverage = FunnelAnswer['evaluation_coverage']
type Quality = FunnelAnswer['metrics']['entered_quality']

/** Reasons for a partial day that mean lost events (rules 6.10). */
const LOSSES: ReadonlySet<string> = new Set(['collection_interrupted', EVENTS_REFUSED])

/**
 * One funnel with its steps. `count` is undefined if nothing was counted: it is unknown or not effective. `is_current`:
 * whether this revision counts now.
 */
export function judgeFunnel(
  reading: FunnelReading,
  revision: FunnelRevision,
  count: FunnelCount | undefined,
  { is_current, completeness }: { is_current: boolean; completeness: FunnelAnswer['completeness'] },
): FunnelAnswer {
  const evaluation_coverage = judgeCoverage(reading, revision, count)
  const evidence_state = judgeState(reading, revision, count, evaluation_coverage)
  const quality = QUALITY[evidence_state]
  const reached = quality === 'exact' || quality === 'observed_lower_bound' ? (count?.reached ?? null) : null
  const at = (step: number) => reached?.[step] ?? null
  return {
    slug: revision.slug,
    revision_id: revision.id,
    revision: revision.revision,
    name: revision.name,
    definition_state: is_current ? 'active' : 'archived',
    effective_from: instantText(revision.effective_from),
    effective_to: revision.effective_to === null ? null : instantText(revision.effective_to),
    step_count: revision.steps.length,
    evidence_state,
    evaluation_coverage,
    available_from: reading.available_from,
    data_through: reading.data_through === null ? null : instantText(reading.data_through),
    metrics: {
      entered_sessions: at(0),
      entered_quality: quality,
      completed_sessions: at(revision.steps.length - 1),
      completed_quality: quality,
      completion_rate: rate(at(revision.steps.length - 1), at(0)),
    },
    completeness,
    steps: revision.steps.map((definition, step) => ({
      position: step + 1,
      definition,
      reached_sessions: at(step),
      reached_quality: quality,
      rate_from_previous: step === 0 ? null : rate(at(step), at(step - 1)),
    })),
  }
}

const QUALITY: Record<FunnelAnswer['evidence_state'], Quality> = {
  unknown: 'unknown',
  not_effective: 'unknown',
  measured: 'exact',
  partial: 'observed_lower_bound',
  suppressed: 'suppressed',
}

/** Null if a count is unknown, or if no session reached the step before. */
const rate = (part: number | null, whole: number | null): number | null =>
  part === null || whole === null || whole === 0 ? null : part / whole

/** Whether the revision counted on any observed day. */
const isObserved = (reading: FunnelReading, revision: FunnelRevision) => daysObserved(reading, [revision]).length > 0

function judgeState(
  reading: FunnelReading,
  revision: FunnelRevision,
  count: FunnelCount | undefined,
  coverage: Coverage,
): FunnelAnswer['evidence_state'] {
  if (!reading.has_evidence) return 'unknown'
  if (!isEffective(reading, revision)) return 'not_effective'
  if (count === undefined || !isObserved(reading, revision)) return 'unknown'
  const [entered] = count.reached
  if (entered !== undefined && entered > 0 && entered < reading.also.privacy_floor) return 'suppressed'
  return coverage.state === 'complete' ? 'measured' : 'partial'
}

function judgeCoverage(reading: FunnelReading, revision: FunnelRevision, count: FunnelCount | undefined): Coverage {
  const has_conversions = revision.steps.some(({ kind }) => kind === 'conversion')
  const { gaps, has_evidence } = reading
  if (!has_evidence || (isEffective(reading, revision) && !isObserved(reading, revision))) {
    const limitations = reading.limitations
    return { ...UNKNOWN, gaps, limitations }
  }
  const days = [...reading.days.values()]
  const isLossy = ({ state, limitation }: TrackerDay) =>
    state === 'partial' && limitation !== null && LOSSES.has(limitation)
  const is_refused = missesMatched(reading, revision, matchersOf(revision))
  // A day publishes only one reason, so lost pageviews are looked up in the limitations of the reading, too.
  const is_lossy = days.some(isLossy) || is_refused || reading.limitations.includes(EVENTS_REFUSED)
  const is_short = days.some((day) => day.state !== 'complete' && !isLossy(day))
  const is_late = reading.also.late.has(revision.id)
  const of_conversions = is_late ? 'partial' : 'complete'
  const is_ambiguous = count !== undefined && count.ambiguous > 0
  return {
    state: is_lossy || is_short || is_late || is_ambiguous ? 'partial' : 'complete',
    raw_events: is_lossy ? 'partial' : 'complete',
    core_collection: is_short ? 'partial' : 'complete',
    conversion_steps: has_conversions ? of_conversions : 'not_applicable',
    session_integrity: 'exact',
    event_order: is_ambiguous ? 'ambiguous' : 'exact',
    gaps,
    limitations: [
      ...new Set([...reading.limitations, ...(is_refused ? [EVENTS_REFUSED] : [])]),
      ...(is_late ? [PROPERTY_DECLARED_LATER] : []),
      ...(is_ambiguous ? ['tied_events'] : []),
    ].sort(),
  }
}

const UNKNOWN = {
  state: 'unknown',
  raw_events: 'unknown',
  core_collection: 'unknown',
  conversion_steps: 'unknown',
  session_integrity: 'unknown',
  event_order: 'unknown',
} as const
