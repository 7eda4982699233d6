/**
 * Roll-ups of dirty days are derived again from facts: a new build is inserted, then the pointer in the control store moves (rules 4).
 * A day that a delivery is still writing is left alone, because its facts are not all there.
 */
import { MINUTE_MS } from '#clock.ts'
import { nextNumber } from '#control/settings.ts'
import type { ControlStore } from '#control/store.ts'
import type { DirtyDayRow } from '#control/tables.ts'
import { EvidenceError } from '#evidence/errors.ts'
import type { CrawlerContext } from '../context.ts'
import { findCountingReadings } from './counting-readings.ts'
import { deleteBuild, insertCrawlerDaily, insertPageDaily } from './roll-ups.sql.ts'

/** A retired build outlives every statement that may still read it. */
const RETIREMENT_MS = 10 * MINUTE_MS
/** A live source leaves one delivery every moment, and a statement takes only so many values. */
const IDS_AT_ONCE = 1_000

/** What a rebuild works with. */
export type RebuildContext = Pick<CrawlerContext, 'clock' | 'control' | 'evidence' | 'rebuilds'>

/**
 * Rebuilds dirty days, of one site where it is named, newest days first; returns the number of days done. `stop` is asked between two months.
 * @throws AggregateError when days could not be rebuilt; they stay dirty.
 */
export function rebuildDirtyDays(
  ctx: RebuildContext,
  stop: () => boolean = () => false,
  site_id?: string,
): Promise<number> {
  return ctx.rebuilds.run(() => rebuildReadyDays(ctx, stop, site_id))
}

async function rebuildReadyDays(
  ctx: RebuildContext,
  stop: () => boolean,
  site_id: string | undefined,
): Promise<number> {
  const found = await findReadyDays(ctx.control)
  const ready = site_id === undefined ? found : found.filter((entry) => entry.site_id === site_id)
  const failures: unknown[] = []
  let done = 0
  for (const batch of monthBatches(ready)) {
    if (stop()) return done
    try {
      await rebuildInPieces(ctx, batch)
      done += batch.length
    } catch (error) {
      // Its days stay dirty and are read from facts; the other months need not wait for it.
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} months could not be rebuilt`)
  return done
}

interface ReadyDay {
  site_id: string
  day: string
  /** The deliveries whose facts this rebuild will include. */
  delivery_ids: string[]
}

async function findReadyDays(control: ControlStore): Promise<ReadyDay[]> {
  const dirty = await control.db
    .selectFrom('dirty_days')
    .selectAll()
    .orderBy('day', 'desc')
    .orderBy('site_id')
    .execute()
  const byDay = Map.groupBy(dirty, (row: DirtyDayRow) => `${row.day} ${row.site_id}`)
  return [...byDay.values()]
    .filter((entries) => entries.every((row) => row.state === 'written'))
    .map((entries) => ({
      site_id: (entries[0] as DirtyDayRow).site_id,
      day: (entries[0] as DirtyDayRow).day,
      delivery_ids: entries.map((row) => row.delivery_id),
    }))
}

/** One insert may touch only one partition, so that a crash leaves all of it or nothing: one batch per site and month. */
function monthBatches(days: readonly ReadyDay[]): ReadyDay[][] {
  return [...Map.groupBy(days, (entry) => `${entry.day.slice(0, 7)} ${entry.site_id}`).values()]
}

/** Rebuilds the days of a month with one insert, or, when the engine has too little memory for it, with one for each half of them. */
async function rebuildInPieces(ctx: RebuildContext, batch: readonly ReadyDay[]): Promise<void> {
  try {
    await rebuildDays(ctx, batch)
  } catch (error) {
    if (batch.length < 2 || !(error instanceof EvidenceError) || error.kind !== 'memory') throw error
    const half = Math.ceil(batch.length / 2)
    await rebuildInPieces(ctx, batch.slice(0, half))
    await rebuildInPieces(ctx, batch.slice(half))
  }
}

async function rebuildDays(ctx: RebuildContext, batch: readonly ReadyDay[]): Promise<void> {
  const [first] = batch
  if (first === undefined) return
  const { site_id } = first
  const days = batch.map((entry) => entry.day)
  const of = await ctx.control.transaction(async (tx) => {
    const build = await nextNumber(tx, 'next_build')
    // Retired from birth: should this process die before the pointer moves, the rows are cleared away like any old build.
    const retired_at = ctx.clock.now()
    await tx
      .insertInto('retired_builds')
      .values(days.map((day) => ({ site_id, day, build, retired_at })))
      .execute()
    // A reading that replaces one of these after now has made its day dirty anew, and is built then.
    return { site_id, days, build, readings: await findCountingReadings(tx, site_id, days.toSorted()) }
  })
  const { build } = of
  await ctx.evidence.run(insertCrawlerDaily(of))
  await ctx.evidence.run(insertPageDaily(of))
  await ctx.control.transaction(async (tx) => {
    for (const { site_id, day, delivery_ids } of batch) {
      const old = await tx
        .selectFrom('day_builds')
        .select('build')
        .where('site_id', '=', site_id)
        .where('day', '=', day)
        .executeTakeFirst()
      if (old !== undefined) {
        await tx
          .insertInto('retired_builds')
          .values({ site_id, day, build: old.build, retired_at: ctx.clock.now() })
          .execute()
        await tx.deleteFrom('day_builds').where('site_id', '=', site_id).where('day', '=', day).execute()
      }
      await tx.insertInto('day_builds').values({ site_id, day, build }).execute()
      await tx
        .deleteFrom('retired_builds')
        .where('site_id', '=', site_id)
        .where('day', '=', day)
        .where('build', '=', build)
        .execute()
      // A delivery that began meanwhile keeps its own row, so the day stays dirty and is read from facts.
      for (let at = 0; at < delivery_ids.length; at += IDS_AT_ONCE) {
        await tx
          .deleteFrom('dirty_days')
          .where('site_id', '=', site_id)
          .where('day', '=', day)
          .where('delivery_id', 'in', delivery_ids.slice(at, at + IDS_AT_ONCE))
          .execute()
      }
    }
  })
}

/** Deletes builds that no reader can still be using. */
export async function deleteRetiredBuilds(ctx: CrawlerContext): Promise<number> {
  const before = ctx.clock.now() - RETIREMENT_MS
  const retired = await ctx.control.db
    .selectFrom('retired_builds')
    .selectAll()
    .where('retired_at', '<', before)
    .execute()
  for (const group of Map.groupBy(retired, (row) => `${row.site_id} ${row.build}`).values()) {
    const [first] = group
    if (first === undefined) continue
    const days = group.map((row) => row.day)
    await ctx.evidence.run(deleteBuild('crawler_daily', first.site_id, first.build, days))
    await ctx.evidence.run(deleteBuild('page_daily', first.site_id, first.build, days))
    await ctx.control.db
      .deleteFrom('retired_builds')
      .where('site_id', '=', first.site_id)
      .where('build', '=', first.build)
      .where('day', 'in', days)
      .execute()
  }
  return retired.length
}
