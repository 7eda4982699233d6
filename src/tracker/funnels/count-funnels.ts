/** Counts the sessions that reached each step, for all funnels of an answer (rules 6, decision 0022). */
import { DAY_MS } from '#clock.ts'
import { dayStart } from '#days/utc-day.ts'
import { cacheable } from '#derived/build-row-cache.ts'
import type { Row } from '#evidence/sql.ts'
import type { EvidenceStore, StatementLimits } from '#evidence/store.ts'
import type { TrackerContext } from '../context.ts'
import { withEvidence } from '../coverage/with-evidence.ts'
import type { FunnelRevision, Matcher, Step } from '../definitions/definitions.ts'
import { type Evaluation, planEvaluation } from '../definitions/evaluated-days.ts'
import { isEffectiveWithin } from '../definitions/in-force.ts'
import { BITS } from '../definitions/matching.sql.ts'
import { splitBuilds } from '../scope.ts'
import { type FunnelBatch, type FunnelBranch, funnelCounts, MAX_TIED_HITS, MAX_TIED_SESSIONS } from './funnels.sql.ts'
import { type FunnelReading, isEffective } from './open-funnels.ts'
import { stepsReached } from './ties.ts'

export interface FunnelCount {
  /** Sessions that certainly reached each step. */
  reached: number[]
  /** Sessions that would have reached more steps if tied events were in another order. */
  ambiguous: number
}

type FunnelRow = Row<ReturnType<typeof funnelCounts>>

/** A batch with the funnels of its bits. */
interface Batch extends FunnelBranch {
  revisions: readonly FunnelRevision[]
}

/**
 * The counts of the effective funnels, by revision id; empty if they are unknown.
 * @throws Refusal reader_unavailable: the evidence cannot be read.
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

/** Counts by revision id: stored sums of closed days, and evaluations of all other days. */
export async function countFunnels(
  evidence: EvidenceStore,
  revisions: readonly FunnelRevision[],
  evaluation: Evaluation,
  limits?: StatementLimits,
): Promise<Map<string, FunnelCount>> {
  const { scope, missing } = evaluation
  const unevaluated = revisions.filter((revision) => missing.definition_ids.includes(revision.id))
  const ofSessions = (builds: Evaluation['missing']['builds']) => {
    const days = builds.map(({ day }) => day)
    return batchesOf(unevaluated, days).map((batch) => ({ ...batch, of: { site_id: scope.site_id, builds } }))
  }
  const { permanent, temporary } = splitBuilds(missing.builds, scope)
  const [of_facts, of_snapshot, of_closed] = [
    batchesOf(revisions, scope.fact_days).map((batch) => ({ ...batch, of: scope })),
    ofSessions(temporary),
    ofSessions(permanent),
  ]
  const batches = [...of_facts, ...of_snapshot, ...of_closed].map((branch, batch): Batch => ({ ...branch, batch }))
  const counts = new Map(revisions.map((revision) => [revision.id, noCount(revision)]))
  if (batches.length === 0 && evaluation.stored.length === 0) return counts
  const nothing_stored = { ...evaluation, stored: [] }
  const open = batches.slice(0, of_facts.length + of_snapshot.length)
  const known = batches.slice(open.length)
  const parts = [
    evidence.all(cacheable(funnelCounts(evaluation, known)), limits),
    ...(open.length === 0 ? [] : [evidence.all(funnelCounts(nothing_stored, open), limits)]),
  ]
  const rows = (await Promise.all(parts)).flat()
  for (const row of rows.filter(({ kind }) => kind === 'stored')) addStored(counts, row)
  for (const batch of batches)
    addFresh(
      counts,
      batch,
      rows.filter((row) => row.kind !== 'stored' && row.batch === batch.batch),
    )
  return counts
}

const noCount = ({ steps }: FunnelRevision): FunnelCount => ({ reached: steps.map(() => 0), ambiguous: 0 })

function addStored(counts: Map<string, FunnelCount>, row: FunnelRow): void {
  const count = counts.get(row.definition) as FunnelCount
  count.reached[row.bit - 1] = (count.reached[row.bit - 1] as number) + row.sessions
  count.ambiguous += row.ambiguous
}

function addFresh(counts: Map<string, FunnelCount>, { revisions }: Batch, rows: readonly FunnelRow[]): void {
  const places = revisions.flatMap((revision) => revision.steps.map((_, step) => ({ id: revision.id, step })))
  for (const row of rows.filter(({ kind }) => kind === 'counted')) {
    const { id, step } = places[row.bit] as (typeof places)[number]
    const { reached } = counts.get(id) as FunnelCount
    reached[step] = (reached[step] as number) + row.sessions
  }
  const tied = rows.filter(({ kind }) => kind === 'tied')
  for (const row of tied.slice(0, MAX_TIED_SESSIONS)) addTied(counts, revisions, row)
  // If there are more ties than are resolved, these sessions count nowhere, and no funnel's order is exact.
  if (tied.length > MAX_TIED_SESSIONS) for (const { id } of revisions) (counts.get(id) as FunnelCount).ambiguous += 1
}

function addTied(counts: Map<string, FunnelCount>, revisions: readonly FunnelRevision[], row: FunnelRow): void {
  const hits = row.masks.slice(0, MAX_TIED_HITS).map((mask, at) => ({
    at: row.offsets[at] as number,
    request: row.requests[at] as string,
    mask: BigInt(mask),
  }))
  let bit = 0
  for (const { id, steps } of revisions) {
    const all = (1n << BigInt(steps.length)) - 1n
    const own = hits
      .map(({ at, request, mask }) => ({ at, request, steps: Number((mask >> BigInt(bit)) & all) }))
      .filter((hit) => hit.steps !== 0)
    bit += steps.length
    const count = counts.get(id) as FunnelCount
    const { certain, possible } = stepsReached(own, steps.length)
    for (let step = 0; step < certain; step++) count.reached[step] = (count.reached[step] as number) + row.sessions
    if (possible > certain || (own.length > 0 && row.masks.length > MAX_TIED_HITS)) count.ambiguous += row.sessions
  }
}

/** Batches of the funnels in force on these days (ascending); the steps of a batch fit the bits of one number. */
function batchesOf(
  revisions: readonly FunnelRevision[],
  days: readonly string[],
): { funnels: FunnelBatch; revisions: FunnelRevision[] }[] {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return []
  const span = { from: dayStart(first), to: dayStart(last) + DAY_MS }
  const groups: FunnelRevision[][] = []
  let room = 0
  for (const revision of revisions.filter((each) => isEffectiveWithin(each, span))) {
    if (revision.steps.length > room) {
      groups.push([])
      room = BITS
    }
    groups.at(-1)?.push(revision)
    room -= revision.steps.length
  }
  return groups.map((group) => ({ revisions: group, funnels: batchOf(group, span) }))
}

function batchOf(revisions: readonly FunnelRevision[], span: { from: number; to: number }): FunnelBatch {
  const steps = revisions.flatMap((revision) => revision.steps.map((step, at) => ({ revision, step, at })))
  const boundaries = revisions
    .flatMap(({ effective_from, effective_to }) => [effective_from, effective_to])
    .filter((boundary) => boundary !== null && boundary > span.from && boundary < span.to)
  const begins = [span.from, ...new Set(boundaries as number[])].sort((a, b) => a - b)
  const effective_periods = begins.map((from) => ({
    from,
    bits: steps.flatMap(({ revision }, bit) => (isEffectiveWithin(revision, { from, to: from + 1 }) ? [bit] : [])),
  }))
  return {
    matchers: steps.map(({ step }) => matcherOf(step)),
    firsts: steps.flatMap(({ at }, bit) => (at === 0 ? [bit] : [])),
    effective_periods: effective_periods.length === 1 ? [] : effective_periods,
  }
}

/** The matcher of a step: a pageview of the exact page, or the matcher of the conversion's revision. */
function matcherOf(step: Step): Matcher {
  if (step.kind === 'conversion') return step.matcher
  const { hostname, path, path_fidelity, path_transform_version } = step
  return { kind: 'pageview', hostname, path, path_fidelity, path_transform_version, property_rules: [] }
}
