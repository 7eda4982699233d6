/** Reads coverage, definitions and builds for both funnel answers as of one instant. */
import { DAY_MS } from '#clock.ts'
import type { ShortWindow } from '#contract/vocabulary.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { BuildRow } from '#control/tables.ts'
import { dayStart } from '#days/utc-day.ts'
import type { DayRange } from '#days/windows.ts'
import { findBuilds } from '#derived/builds.ts'
import type { TrackerContext } from '../context.ts'
import { type OpenedReading, openTrackerReading } from '../coverage/open-reading.ts'
import { type FunnelRevision, findFunnelRevisions, type Matcher } from '../definitions/definitions.ts'
import { isEffectiveWithin } from '../definitions/in-force.ts'
import { findLateProperties } from '../definitions/late-properties.ts'
import type { Including } from '../development/include.ts'
import { readTrackerSettings } from '../privacy-settings.ts'

export interface FunnelFacts {
  /** By slug and number. */
  revisions: FunnelRevision[]
  builds: BuildRow[]
  /** A funnel with fewer entered sessions is suppressed; 0 suppresses none (decisions 5). */
  privacy_floor: number
  /** Ids of revisions with a property that was declared later than the revision or the window began. */
  late: ReadonlySet<string>
}

export type FunnelReading = OpenedReading<FunnelFacts>

/**
 * `unsaved`: a revision that is read like the stored ones.
 * @throws Refusal reader_unavailable: the reader's gate is closed.
 */
export function openFunnels(
  ctx: TrackerContext,
  reader: 'funnels' | 'funnel',
  { window, include, unsaved }: Including & { window: ShortWindow; unsaved?: FunnelRevision },
) {
  const site_id = ctx.site.id
  const also = async (tx: ControlTransaction, range: DayRange): Promise<FunnelFacts> => {
    const stored = await findFunnelRevisions(tx, site_id)
    const revisions = unsaved === undefined ? stored : [...stored, unsaved]
    return {
      revisions,
      builds: await findBuilds(tx, 'definitions', site_id, range),
      privacy_floor: (await readTrackerSettings(tx, site_id)).privacy_floor,
      late: await findLateProperties(tx, site_id, revisions.map(withMatchers), range),
    }
  }
  return openTrackerReading(ctx, { window, include, reader, also })
}

export const matchersOf = ({ steps }: Pick<FunnelRevision, 'steps'>): Matcher[] =>
  steps.flatMap((step) => (step.kind === 'conversion' ? [step.matcher] : []))

const withMatchers = (revision: FunnelRevision) => ({ ...revision, matchers: matchersOf(revision) })

/** Whether a revision counts any session of the window. */
export const isEffective = (reading: Pick<FunnelReading, 'range' | 'as_of'>, revision: FunnelRevision): boolean =>
  isEffectiveWithin(revision, { from: dayStart(reading.range.from), to: dayStart(reading.range.to) + DAY_MS })
