/** What both funnel answers start from: coverage, definitions and the pointers to what is counted already, as of one instant. */
import { DAY_MS } from '#clock.ts'
import type { ShortWindow } from '#contract/vocabulary.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { DefinitionBuildRow } from '#control/tables.ts'
import { dayStart } from '#days/utc-day.ts'
import type { DayRange } from '#days/windows.ts'
import type { TrackerContext } from '../context.ts'
import { type OpenedReading, openTrackerReading } from '../coverage/open-reading.ts'
import { withEvidence } from '../coverage/with-evidence.ts'
import { type FunnelRevision, findFunnelRevisions, type Matcher } from '../definitions/definitions.ts'
import { findDefinitionBuilds, planEvaluation } from '../definitions/evaluated-days.ts'
import { isEffectiveWithin } from '../definitions/in-force.ts'
import { findLateProperties } from '../definitions/late-properties.ts'
import { countFunnels, type FunnelCount } from './count-funnels.ts'

export interface FunnelFacts {
  /** By slug and number. */
  revisions: FunnelRevision[]
  builds: DefinitionBuildRow[]
  /** Below this many entered sessions a funnel is suppressed; 0 suppresses nothing (decisions 5). */
  privacy_floor: number
  /** Revisions of funnels with a step whose property was declared only after they count from, or after the window begins. */
  late: ReadonlySet<string>
}

export type FunnelReading = OpenedReading<FunnelFacts>

/** @throws Refusal reader_unavailable while the reader's gate is closed. */
export function openFunnels(ctx: TrackerContext, reader: 'funnels' | 'funnel', window: ShortWindow) {
  const site_id = ctx.site.id
  const also = async (tx: ControlTransaction, range: DayRange): Promise<FunnelFacts> => {
    const revisions = await findFunnelRevisions(tx, site_id)
    const settings = await tx
      .selectFrom('tracker_settings')
      .select('privacy_floor')
      .where('site_id', '=', site_id)
      .executeTakeFirst()
    return {
      revisions,
      builds: await findDefinitionBuilds(tx, site_id, range),
      privacy_floor: settings === undefined ? NO_FLOOR : settings.privacy_floor,
      late: await findLateProperties(tx, site_id, revisions.map(withMatchers), range),
    }
  }
  return openTrackerReading(ctx, { window, reader, also })
}

const NO_FLOOR = 0

export const matchersOf = ({ steps }: Pick<FunnelRevision, 'steps'>): Matcher[] =>
  steps.flatMap((step) => (step.kind === 'conversion' ? [step.matcher] : []))

const withMatchers = (revision: FunnelRevision) => ({ ...revision, matchers: matchersOf(revision) })

/** Whether a revision counts any session of the window. */
export const isEffective = (reading: Pick<FunnelReading, 'range' | 'as_of'>, revision: FunnelRevision): boolean =>
  isEffectiveWithin(revision, { from: dayStart(reading.range.from), to: dayStart(reading.range.to) + DAY_MS })

/**
 * Counts of those of these funnels that are effective, by revision id; empty where nobody can know.
 * @throws Refusal reader_unavailable when the evidence cannot be read.
 */
export async function countEffective(
  ctx: TrackerContext,
  reading: FunnelReading,
  revisions: readonly FunnelRevision[],
): Promise<Map<string, FunnelCount>> {
  const effective = revisions.filter((revision) => isEffective(reading, revision))
  return withEvidence(ctx, reading, async (evidence, limits) => {
    if (!reading.has_evidence || effective.length === 0) return new Map()
    const evaluation = planEvaluation(reading.scope, effective, reading.also.builds)
    return countFunnels(evidence, effective, evaluation, limits)
  })
}
