/**
 * What every definition counted on closed days is stored once, so that answers only sum it: conversions, funnels, and the set of
 * conversions that were in force (decision 0022). What is not stored yet is evaluated by the answer that needs it.
 */
import { nextNumber } from '#control/settings.ts'
import type { ControlTransaction } from '#control/store.ts'
import { jsonRows } from '#evidence/json-rows.ts'
import type { TrackerContext } from '../context.ts'
import { inForceOn } from '../conversions/converted.ts'
import {
  type ConversionRevision,
  type FunnelRevision,
  findConversionRevisions,
  findFunnelRevisions,
} from './definitions.ts'
import { evaluateDay } from './evaluate-day.ts'
import { isInForceOn } from './in-force.ts'

export type DeriveDefinitionsContext = Pick<TrackerContext, 'clock' | 'control' | 'evidence'>

/** Stores what is missing, newest days first; returns how many days it did. `stop` is asked between two days. */
export async function deriveDefinitions(
  ctx: DeriveDefinitionsContext,
  stop: () => boolean = () => false,
): Promise<number> {
  const failures: unknown[] = []
  let done = 0
  for (const site_id of await findSites(ctx)) {
    for (const work of await findWork(ctx, site_id)) {
      if (stop()) return done
      try {
        await deriveDay(ctx, work)
        done++
      } catch (error) {
        // Answers evaluate the day themselves meanwhile; the other days need not wait for it.
        failures.push(error)
      }
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} days of definitions could not be derived`)
  return done
}

/** Definitions that lack a stored count of one closed day, and that day's sessions. */
export interface DayOfDefinitions {
  site_id: string
  day: string
  /** Of the sessions that are evaluated. */
  build: number
  funnels: FunnelRevision[]
  conversions: ConversionRevision[]
  /** The conversions in force on the day; null when their sum is stored already, or there are none. */
  converted: { id: string; revisions: ConversionRevision[] } | null
  /** Stored counts that nobody asks for any more: of a set of conversions that is no longer the one in force. */
  stale: { definition_id: string; build: number }[]
}

const findSites = async ({ control }: DeriveDefinitionsContext): Promise<string[]> => {
  const rows = await control.db.selectFrom('tracker_builds').select('site_id').distinct().orderBy('site_id').execute()
  return rows.map((row) => row.site_id)
}

async function findWork({ control }: DeriveDefinitionsContext, site_id: string): Promise<DayOfDefinitions[]> {
  const { conversions, funnels, builds, stored } = await control.snapshot(async (tx) => ({
    conversions: await findConversionRevisions(tx, site_id),
    funnels: await findFunnelRevisions(tx, site_id),
    builds: await tx
      .selectFrom('tracker_builds')
      .selectAll()
      .where('site_id', '=', site_id)
      .orderBy('day', 'desc')
      .execute(),
    stored: await tx.selectFrom('definition_builds').selectAll().where('site_id', '=', site_id).execute(),
  }))
  const storedOn = Map.groupBy(stored, (row) => row.day)
  const revisions = new Set([...conversions, ...funnels].map(({ id }) => id))
  return builds.flatMap(({ day, build }) => {
    const rows = storedOn.get(day) ?? []
    const known = new Set(rows.map((row) => row.definition_id))
    const set = inForceOn(conversions, day)
    const isLacking = (revision: ConversionRevision | FunnelRevision) =>
      !known.has(revision.id) && isInForceOn(revision, day)
    const work: DayOfDefinitions = {
      site_id,
      day,
      build,
      funnels: funnels.filter(isLacking),
      conversions: conversions.filter(isLacking),
      converted: set === null || known.has(set.id) ? null : set,
      stale: rows.filter((row) => !revisions.has(row.definition_id) && row.definition_id !== set?.id),
    }
    const isDone = work.funnels.length === 0 && work.conversions.length === 0 && work.converted === null
    return isDone && work.stale.length === 0 ? [] : [work]
  })
}

async function deriveDay(ctx: DeriveDefinitionsContext, work: DayOfDefinitions): Promise<void> {
  const { site_id, day } = work
  const ids = [
    ...[...work.funnels, ...work.conversions].map(({ id }) => id),
    ...(work.converted === null ? [] : [work.converted.id]),
  ]
  const retired_at = ctx.clock.now()
  const build = await ctx.control.transaction(async (tx) => {
    const build = await nextNumber(tx, 'next_build')
    // Retired from birth: should this process die before the pointers move, the rows are cleared away like any old build.
    for (const definition_id of ids) await retire(tx, { site_id, day, build, definition_id, retired_at })
    return build
  })
  const counted = await evaluateDay(ctx.evidence, work)
  const rows = counted.map((row) => [
    site_id,
    day,
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
  await ctx.control.transaction((tx) => takeOver(tx, work, { build, ids, retired_at }))
}

/** The counts hold from here on, unless the day's sessions were derived again meanwhile: then they are evaluated anew. */
async function takeOver(
  tx: ControlTransaction,
  { site_id, day, build: of_sessions, stale }: DayOfDefinitions,
  { build, ids, retired_at }: { build: number; ids: readonly string[]; retired_at: number },
): Promise<void> {
  const current = await tx
    .selectFrom('tracker_builds')
    .select('build')
    .where('site_id', '=', site_id)
    .where('day', '=', day)
    .executeTakeFirst()
  if (current?.build !== of_sessions) return
  for (const definition_id of ids) {
    await tx.insertInto('definition_builds').values({ site_id, definition_id, day, build }).execute()
  }
  await tx
    .deleteFrom('retired_tracker_builds')
    .where('site_id', '=', site_id)
    .where('day', '=', day)
    .where('build', '=', build)
    .execute()
  for (const old of stale) {
    await tx
      .deleteFrom('definition_builds')
      .where('site_id', '=', site_id)
      .where('day', '=', day)
      .where('definition_id', '=', old.definition_id)
      .execute()
    await retire(tx, { site_id, day, build: old.build, definition_id: old.definition_id, retired_at })
  }
}

const retire = (
  tx: ControlTransaction,
  row: { site_id: string; day: string; build: number; definition_id: string; retired_at: number },
) => tx.insertInto('retired_tracker_builds').values(row).execute()
