import { DAY_MS, instantText } from '#clock.ts'
import type { AnalyticsConversions, AnalyticsConversionsInput } from '#contract/site-api/index.ts'
import type { BuildRow } from '#control/tables.ts'
import { dayStart } from '#days/utc-day.ts'
import { findBuilds } from '#derived/builds.ts'
import { oldOrigins, RARE_ORIGINS } from './acquisition/origins.sql.ts'
import type { TrackerContext } from './context.ts'
import { type ConversionCounts, countConversions } from './conversions/count-conversions.ts'
import { sourceLabeller } from './conversions/label-sources.ts'
import { envelope } from './coverage/envelope.ts'
import { EVENTS_REFUSED, missesMatched } from './coverage/missing-events.ts'
import { type OpenedReading, openTrackerReading } from './coverage/open-reading.ts'
import { publishCount, publishVisits } from './coverage/publish-count.ts'
import { withEvidence } from './coverage/with-evidence.ts'
import { type ConversionRevision, findConversionRevisions } from './definitions/definitions.ts'
import { planEvaluation } from './definitions/evaluated-days.ts'
import { isEffectiveWithin } from './definitions/in-force.ts'
import { findLateProperties, PROPERTY_DECLARED_LATER } from './definitions/late-properties.ts'
import { daysObserved } from './definitions/observed-days.ts'
import type { Including } from './development/include.ts'

type Answered = AnalyticsConversions['conversions'][number]

interface ConversionFacts {
  /** The revisions in force at any instant of the window, in the order of the answer. */
  revisions: Shown[]
  builds: BuildRow[]
  /** Ids of revisions with a property that was declared later than the revision or the window began. */
  late: ReadonlySet<string>
}

interface Shown extends ConversionRevision {
  /** Whether this revision counts now. */
  is_current: boolean
}

/** One row per revision in force in the window: active first, by name, newest first (rules 6, Conversions). */
export async function readConversions(
  ctx: TrackerContext,
  { window, limit, include }: Pick<AnalyticsConversionsInput, 'window' | 'limit'> & Including,
): Promise<AnalyticsConversions> {
  const reading = await openTrackerReading(ctx, {
    window,
    include,
    reader: 'conversions',
    async also(tx, range): Promise<ConversionFacts> {
      const all = await findConversionRevisions(tx, ctx.site.id)
      const span = { from: dayStart(range.from), to: dayStart(range.to) + DAY_MS }
      const revisions = withCurrent(all)
        .filter((revision) => isEffectiveWithin(revision, span))
        .sort(inOrder)
      const ruled = revisions.map((revision) => ({ ...revision, matchers: [revision.matcher] }))
      return {
        revisions,
        builds: await findBuilds(tx, 'definitions', ctx.site.id, range),
        late: await findLateProperties(tx, ctx.site.id, ruled, range),
      }
    },
  })
  const shown = reading.also.revisions.slice(0, limit)
  return withEvidence(
    ctx,
    reading,
    async (evidence, limits) => {
      const evaluation = planEvaluation(reading.scope, shown, reading.also.builds)
      const isKnown = reading.has_evidence && shown.length > 0
      const counts = isKnown ? await countConversions(evidence, shown, evaluation, limits) : null
      return present(ctx, { window, limit }, reading, shown, counts)
    },
    (unread) => present(ctx, { window, limit }, unread, shown, null),
  )
}

function present(
  ctx: TrackerContext,
  { window, limit }: Pick<AnalyticsConversionsInput, 'window' | 'limit'>,
  reading: OpenedReading<ConversionFacts>,
  shown: readonly Shown[],
  counts: ConversionCounts | null,
): AnalyticsConversions {
  const total_count = reading.also.revisions.length
  const label = sourceLabeller(ctx.site.root_domain)
  return {
    meta: {
      ...envelope(reading, {
        contract_version: 'analytics-conversions/v1',
        evaluator_version: 'sessions/v1',
        preset: window,
        limitations: [
          ...(isOriginCut(counts) ? [RARE_ORIGINS] : []),
          ...oldOrigins(reading),
          ...(shown.some((revision) => missesMatched(reading, revision, [revision.matcher])) ? [EVENTS_REFUSED] : []),
          ...(shown.some(({ id }) => reading.also.late.has(id)) ? [PROPERTY_DECLARED_LATER] : []),
        ],
      }),
      pagination: { limit, returned_count: shown.length, total_count, truncated: total_count > shown.length },
    },
    conversions: shown.map((revision) => conversionRow(label, reading, revision, counts)),
  }
}

const isOriginCut = (counts: ConversionCounts | null): boolean =>
  counts !== null && [...counts.by_revision.values()].some(({ cut }) => cut.has('origin'))

function conversionRow(
  label: ReturnType<typeof sourceLabeller>,
  reading: OpenedReading<ConversionFacts>,
  revision: Shown,
  counts: ConversionCounts | null,
): Answered {
  const count = counts?.by_revision.get(revision.id)
  const is_exact =
    reading.is_whole && !reading.also.late.has(revision.id) && !missesMatched(reading, revision, [revision.matcher])
  const isKnown = count !== undefined && daysObserved(reading, [revision]).length > 0
  const { evidence_state, quality } = evidenceOf({ is_known: isKnown, is_exact })
  const published = (n: number | undefined) => (n === undefined ? null : publishCount(reading, n))
  // Days that no browser proves have events of servers only, so their sessions are unknown (rules 6).
  const visits = { days: new Map([...reading.days].filter(([, { is_proven }]) => is_proven)) }
  const converted_sessions =
    isKnown && daysObserved(visits, [revision]).length > 0 ? published(count.converted_sessions) : null
  const sessions = counts === null ? null : publishVisits(reading, counts.sessions)
  return {
    conversion_id: revision.conversion_id,
    revision_id: revision.id,
    revision: revision.revision,
    name: revision.name,
    definition_state: revision.is_current ? 'active' : 'archived',
    effective_from: instantText(revision.effective_from),
    effective_to: revision.effective_to === null ? null : instantText(revision.effective_to),
    matcher: revision.matcher,
    property_rules: revision.matcher.property_rules,
    evidence_state,
    metrics: {
      converted_sessions,
      conversion_events: isKnown ? published(count.conversion_events) : null,
      quality,
      rate: converted_sessions === null || sessions === null || sessions === 0 ? null : converted_sessions / sessions,
      sessions,
    },
    ...label(isKnown ? count : null),
  }
}

function evidenceOf({
  is_known,
  is_exact,
}: {
  is_known: boolean
  is_exact: boolean
}): Pick<Answered, 'evidence_state'> & Pick<Answered['metrics'], 'quality'> {
  if (!is_known) return { evidence_state: 'unknown', quality: 'unknown' }
  if (is_exact) return { evidence_state: 'measured', quality: 'exact' }
  return { evidence_state: 'partial', quality: 'observed_lower_bound' }
}

/** The newest revision is current unless its conversion is archived; superseded ones are archived (spec 3). */
function withCurrent(revisions: readonly ConversionRevision[]): Shown[] {
  const newest = new Map(revisions.map(({ conversion_id }) => [conversion_id, -1]))
  for (const { conversion_id, revision } of revisions) {
    newest.set(conversion_id, Math.max(revision, newest.get(conversion_id) as number))
  }
  return revisions.map((revision) => ({
    ...revision,
    is_current: revision.archived_at === null && revision.revision === newest.get(revision.conversion_id),
  }))
}

function inOrder(a: Shown, b: Shown): number {
  if (a.is_current !== b.is_current) return a.is_current ? -1 : 1
  if (a.name !== b.name) return a.name < b.name ? -1 : 1
  if (a.revision !== b.revision) return b.revision - a.revision
  return a.id < b.id ? -1 : 1
}
