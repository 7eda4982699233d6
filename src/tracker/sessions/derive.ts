/**
 * Sessions of closed days are derived from facts once, with sums for each answer: a new build is inserted, then the pointer in the
 * control store moves (rules 4). A day that events may still arrive for is left alone.
 */

import { nextNumber } from '#control/settings.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { TrackerDirtyDayRow } from '#control/tables/tracker.ts'
import { utcDay } from '#days/utc-day.ts'
import type { TrackerContext } from '../context.ts'
import { insertBuild } from './derive.sql.ts'
import { retire, retireBuilds } from './retire.ts'

export type DeriveSessionsContext = Pick<TrackerContext, 'clock' | 'control' | 'evidence' | 'collection'>

/** Events of a day are sorted and grouped at once. */
const MEMORY_MB = 400

/** Derives the closed days that are dirty, newest first; returns how many are done. `stop` is asked between two days. */
export async function deriveDays(ctx: DeriveSessionsContext, stop: () => boolean = () => false): Promise<number> {
  // Before the marks: what was accepted until then can be read by now, and later events mark their day again.
  const open_day = utcDay(ctx.collection.readableThrough())
  const dirty = await ctx.control.db
    .selectFrom('tracker_dirty_days')
    .selectAll()
    .where('day', '<', open_day)
    .orderBy('day', 'desc')
    .orderBy('site_id')
    .execute()
  const failures: unknown[] = []
  let done = 0
  for (const row of dirty) {
    if (stop()) return done
    try {
      await deriveDay(ctx, row)
      done++
    } catch (error) {
      // It stays dirty and is read from facts; the other days need not wait for it.
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} days could not be derived`)
  return done
}

async function deriveDay(ctx: DeriveSessionsContext, seen: TrackerDirtyDayRow): Promise<void> {
  const { site_id, day } = seen
  const build = await ctx.control.transaction(async (tx) => {
    const build = await nextNumber(tx, 'next_build')
    // Retired from birth: should this process die before the pointer moves, the rows are cleared away like any old build.
    await retire(tx, { site_id, day, build, definition_id: '', retired_at: ctx.clock.now() })
    return build
  })
  for (const insert of insertBuild({ site_id, day, build })) {
    await ctx.evidence.run(insert, { max_memory_mb: MEMORY_MB })
  }
  await ctx.control.transaction((tx) => takeOver(tx, ctx, seen, build))
}

/** The build counts from here on; an older one and what definitions counted on the day before are retired. */
async function takeOver(
  tx: ControlTransaction,
  ctx: Pick<DeriveSessionsContext, 'clock'>,
  { site_id, day, marked }: TrackerDirtyDayRow,
  build: number,
): Promise<void> {
  const dirty = await tx
    .selectFrom('tracker_dirty_days')
    .select('marked')
    .where('site_id', '=', site_id)
    .where('day', '=', day)
    .executeTakeFirst()
  // The site or the day was removed meanwhile.
  if (dirty === undefined) return
  await retireBuilds(tx, { site_id, day, retired_at: ctx.clock.now() })
  await tx
    .deleteFrom('retired_tracker_builds')
    .where('site_id', '=', site_id)
    .where('day', '=', day)
    .where('build', '=', build)
    .where('definition_id', '=', '')
    .execute()
  await tx.insertInto('tracker_builds').values({ site_id, day, build }).execute()
  // A mark that has risen meanwhile speaks of events that this build may lack: the day stays dirty.
  await tx
    .deleteFrom('tracker_dirty_days')
    .where('site_id', '=', site_id)
    .where('day', '=', day)
    .where('marked', '=', marked)
    .execute()
}
