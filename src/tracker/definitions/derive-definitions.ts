/**
 * Stores the counts of every definition on closed days once, so that answers only sum them: counts of conversions, of
 * funnels, and of the set of conversions in force (decision 0022). Answers evaluate days that are not stored yet.
 */
import { findBuilds, retireBuilds } from '#derived/builds.ts'
import { CONCURRENT_WRITE, type Derivation, type ReadyDay } from '#derived/derivation.ts'
import { derive } from '#derived/derive.ts'
import { jsonRows } from '#evidence/rows/json-rows.ts'
import type { TrackerContext } from '../context.ts'
import { revisionSetOn } from '../conversions/converted.ts'
import { deleteDefinitionBuilds } from './definition-builds.sql.ts'
import {
  type ConversionRevision,
  type FunnelRevision,
  findConversionRevisions,
  findFunnelRevisions,
} from './definitions.ts'
import { evaluateDay } from './evaluate-day.ts'
import { isInForceOn } from './in-force.ts'

type CountsContext = Pick<TrackerContext, 'clock' | 'control' | 'evidence' | 'derived'>

/** Stores missing counts, newest days first. Returns the number of days. `stop` is called between two days. */
export function deriveDefinitions(ctx: CountsContext, stop: () => boolean = () => false): Promise<number> {
  return derive(ctx, definitionCounts(ctx), stop)
}

export const definitionCounts = (ctx: CountsContext): Derivation<DayOfDefinitions> => ({
  kind: 'definitions',
  async findBatches() {
    const work = []
    for (const site_id of await findSites(ctx)) work.push(...(await findWork(ctx, site_id)))
    return work.map((of) => [of])
  },
  parts: (work) => [
    ...[...work.funnels, ...work.conversions].map(({ id }) => id),
    ...(work.converted === null ? [] : [work.converted.id]),
  ],
  async begin(_tx, batch, build) {
    const [work] = batch as [DayOfDefinitions]
    return () => insertCounts(ctx, work, build)
  },
  /** False if the day's sessions were derived again meanwhile. Then the definitions are evaluated again. */
  async isCurrent(tx, { site_id, day, build }) {
    const [current] = await findBuilds(tx, 'sessions', site_id, { from: day, to: day })
    return current?.build === build
  },
  async replace(tx, { site_id, day, stale }, retired_at) {
    if (stale.length > 0) await retireBuilds(tx, { kind: 'definitions', site_id, day, retired_at }, stale)
  },
  deleteRows: (retired) => ctx.evidence.run(deleteDefinitionBuilds(retired), CONCURRENT_WRITE),
})

/** The definitions without stored counts of one closed day, and the build of that day's sessions. */
export interface DayOfDefinitions extends ReadyDay {
  /** The build of the sessions that are evaluated. */
  build: number
  funnels: FunnelRevision[]
  conversions: ConversionRevision[]
  /** The conversions in force on the day; null if their sum is stored already, or there are none. */
  converted: { id: string; revisions: ConversionRevision[] } | null
  /** Ids whose stored counts are unused: sets of conversions that were not the set in force on the day. */
  stale: string[]
}

const findSites = async ({ control }: CountsContext): Promise<string[]> => {
  const rows = await control.db
    .selectFrom('builds')
    .select('site_id')
    .distinct()
    .where('kind', '=', 'sessions')
    .orderBy('site_id')
    .execute()
  return rows.map((row) => row.site_id)
}

async function findWork({ control }: CountsContext, site_id: string): Promise<DayOfDefinitions[]> {
  const { conversions, funnels, builds, stored } = await control.snapshot(async (tx) => ({
    conversions: await findConversionRevisions(tx, site_id),
    funnels: await findFunnelRevisions(tx, site_id),
    builds: (await findBuilds(tx, 'sessions', site_id)).reverse(),
    stored: await findBuilds(tx, 'definitions', site_id),
  }))
  const storedOn = Map.groupBy(stored, (row) => row.day)
  const revisions = new Set([...conversions, ...funnels].map(({ id }) => id))
  return builds.flatMap(({ day, build }) => {
    const rows = storedOn.get(day) ?? []
    const known = new Set(rows.map((row) => row.part))
    const set = revisionSetOn(conversions, day)
    const isLacking = (revision: ConversionRevision | FunnelRevision) =>
      !known.has(revision.id) && isInForceOn(revision, day)
    const work: DayOfDefinitions = {
      site_id,
      day,
      marks: [],
      build,
      funnels: funnels.filter(isLacking),
      conversions: conversions.filter(isLacking),
      converted: set === null || known.has(set.id) ? null : set,
      stale: rows.map((row) => row.part).filter((id) => !revisions.has(id) && id !== set?.id),
    }
    const isDone = work.funnels.length === 0 && work.conversions.length === 0 && work.converted === null
    return isDone && work.stale.length === 0 ? [] : [work]
  })
}

async function insertCounts(ctx: CountsContext, work: DayOfDefinitions, build: number): Promise<void> {
  const counted = await evaluateDay(ctx.evidence, work)
  const rows = counted.map((row) => [
    work.site_id,
    work.day,
    String(build),
    row.definition_id,
    row.step,
    row.dimension,
    row.identity,
    row.sessions,
    row.events,
    row.ambiguous,
  ])
  if (rows.length > 0) await ctx.evidence.insert('definition_daily', jsonRows(rows), rows.length)
}
