/**
 * Sums of closed months from the roll-ups of their days, so that answers over long windows read a few rows for each
 * page. A sum counts only while the days of its month have the builds that it sums.
 */
import { createHash } from 'node:crypto'
import type { ControlDb, ControlTransaction } from '#control/store.ts'
import { utcDay } from '#days/utc-day.ts'
import { findBuilds, retireBuilds } from '#derived/builds.ts'
import { CONCURRENT_WRITE, type Derivation, type ReadyDay } from '#derived/derivation.ts'
import { daysOfMarks, findMarks, markDays } from '#derived/dirty-days.ts'
import { insertTwoAtOnce, pageRanges, pieceCount } from './build-pieces.ts'
import type { RollUpContext } from './rebuild-roll-ups.ts'
import { deleteMonthBuilds, inPagesOfMonth, insertMonth, rowsOfMonth } from './roll-ups.sql.ts'

type DayBuild = { day: string; build: number }

/** A month, named by its first day, whose days have these builds. */
interface MonthOfBuilds extends ReadyDay {
  builds: DayBuild[]
}

/** The cause of every mark of a month. */
const BUILDS = 'builds'

/** The first day of a day's month. */
export const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`

/** Identifies a set of builds, which are ascending by day. */
export const digestOf = (builds: readonly DayBuild[]): string =>
  createHash('sha256')
    .update(builds.map(({ day, build }) => `${day} ${build}\n`).join(''))
    .digest('hex')
    .slice(0, 32)

/** Retires the sum of a day's month. Call it in the transaction that gives the day another build or none. */
export async function retireMonth(
  tx: ControlTransaction,
  { site_id, day }: { site_id: string; day: string },
  now: number,
): Promise<void> {
  const month = { site_id, day: firstOfMonth(day) }
  await retireBuilds(tx, { kind: 'crawler_months', ...month, retired_at: now })
  await markDays(tx, { kind: 'crawler_months', cause: BUILDS, state: 'written', now }, [month])
}

export const crawlerMonths = (ctx: RollUpContext, site_id?: string): Derivation<MonthOfBuilds> => ({
  kind: 'crawler_months',
  async findBatches() {
    const { db } = ctx.control
    const ended = { from: '0000-01-01', to: `${utcDay(ctx.clock.now()).slice(0, 7)}-00` }
    const found = []
    for (const month of daysOfMarks(await findMarks(db, 'crawler_months', site_id, ended))) {
      // A dirty day gets another build soon, and marks the month again.
      if ((await findMarks(db, 'crawlers', month.site_id, daysOfMonth(month.day))).length > 0) continue
      found.push([{ ...month, builds: await findDayBuilds(db, month) }])
    }
    return found
  },
  parts: ({ builds }) => (builds.length === 0 ? [] : [digestOf(builds)]),
  async begin(_tx, [month], build) {
    return async () => {
      if (month === undefined || month.builds.length === 0) return
      const [{ built } = { built: 0 }] = await ctx.evidence.all(rowsOfMonth(month))
      await insertTwoAtOnce(pageRanges(pieceCount(built)), (pages) => {
        const row_count_check = { where: inPagesOfMonth({ ...month, build }, pages), may_grow: false }
        return ctx.evidence.run(insertMonth(month, build, pages), { is_concurrent: true, row_count_check })
      })
    }
  },
  isCurrent: async (tx, month) => digestOf(await findDayBuilds(tx, month)) === digestOf(month.builds),
  replace: (tx, { site_id, day }, retired_at) => retireBuilds(tx, { kind: 'crawler_months', site_id, day, retired_at }),
  deleteRows: (retired) => ctx.evidence.run(deleteMonthBuilds(retired), CONCURRENT_WRITE),
})

async function findDayBuilds(db: ControlDb, { site_id, day }: { site_id: string; day: string }): Promise<DayBuild[]> {
  const builds = await findBuilds(db, 'crawlers', site_id, daysOfMonth(day))
  return builds.map((row) => ({ day: row.day, build: row.build }))
}

/** The days of a month as texts; the 31st also bounds shorter months, because no day lies between. */
const daysOfMonth = (first: string) => ({ from: first, to: `${first.slice(0, 7)}-31` })
