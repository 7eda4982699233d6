/** Derives the sessions of closed days from facts once, with sums for answers, when no more events are expected. */
import { utcDay } from '#days/utc-day.ts'
import { inBuildsOfDays } from '#derived/builds.sql.ts'
import { retireBuilds } from '#derived/builds.ts'
import { CONCURRENT_WRITE, type Derivation, type ReadyDay } from '#derived/derivation.ts'
import { derive } from '#derived/derive.ts'
import { daysOfMarks, findMarks, isDirty } from '#derived/dirty-days.ts'
import type { TrackerContext } from '../context.ts'
import { deleteSessionBuilds, insertBuild } from './session-sums.sql.ts'

type SessionsContext = Pick<TrackerContext, 'clock' | 'control' | 'evidence' | 'derived' | 'collection'>

/** The events of a day are sorted and grouped in memory. */
const MEMORY_MB = 400

/** Derives dirty closed days, newest first. Returns the number of days. `stop` is called between two days. */
export function deriveDays(ctx: SessionsContext, stop: () => boolean = () => false): Promise<number> {
  return derive(ctx, visitorSessions(ctx), stop)
}

export const visitorSessions = (ctx: SessionsContext): Derivation => ({
  kind: 'sessions',
  async findBatches() {
    // Taken before the marks are read: earlier events are readable by now, and later ones mark their day again.
    const open_day = utcDay(ctx.collection.readableThrough())
    const marks = await findMarks(ctx.control.db, 'sessions')
    return daysOfMarks(marks.filter(({ day }) => day < open_day)).map((of) => [of])
  },
  parts: () => [''],
  async begin(_tx, batch, build) {
    const [{ site_id, day }] = batch as [ReadyDay]
    return async () => {
      const row_count_check = { where: inBuildsOfDays([{ site_id, day, build }]), may_grow: false }
      for (const insert of insertBuild({ site_id, day, build }))
        await ctx.evidence.run(insert, { max_memory_mb: MEMORY_MB, is_concurrent: true, row_count_check })
    }
  },
  isCurrent: (tx, of) => isDirty(tx, 'sessions', of),
  /** Counts of definitions on the day were made from the replaced sessions. */
  replace: (tx, { site_id, day }, retired_at) => retireBuilds(tx, { kind: 'definitions', site_id, day, retired_at }),
  async deleteRows(retired) {
    for (const command of deleteSessionBuilds(retired)) await ctx.evidence.run(command, CONCURRENT_WRITE)
  },
})
