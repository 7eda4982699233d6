/** After a restore the days near the backup are read from facts until their roll-ups are derived again (rules 7). */
import Type from 'typebox'
import { DAY_MS } from '#clock.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { utcDay } from '#days/utc-day.ts'
import { day, instant, rows } from '#evidence/sql.ts'
import { retireBuilds } from '#tracker/sessions/retire.ts'

const NEAR_MS = 2 * DAY_MS

/** Marks the last 48 h before the backup dirty, and every day that received facts in that time; of visitors' days those 48 h. */
export async function markRecentDaysDirty(
  ctx: Pick<CrawlerContext, 'control' | 'evidence'>,
  created_at: number,
): Promise<void> {
  const since = created_at - NEAR_MS
  const found = await ctx.evidence.all(daysWithFacts(since))
  const visited = await ctx.evidence.all(daysWithEvents(since))
  const sites = await ctx.control.db.selectFrom('sites').select('id').execute()
  const ids = new Set(sites.map((site) => site.id))
  await ctx.control.transaction(async (tx) => {
    for (const { site_id, date } of found.filter((row) => ids.has(row.site_id))) {
      await tx
        .insertInto('dirty_days')
        .values({ site_id, day: date, delivery_id: 'restore', state: 'written' })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
    for (const { site_id, date } of visited.filter((row) => ids.has(row.site_id))) {
      await markTrackerDay(tx, { site_id, day: date, retired_at: created_at })
    }
  })
}

/** Its sessions are derived anew, and nothing that was derived before counts. */
async function markTrackerDay(
  tx: ControlTransaction,
  { site_id, day, retired_at }: { site_id: string; day: string; retired_at: number },
): Promise<void> {
  await tx
    .insertInto('tracker_dirty_days')
    .values({ site_id, day, marked: 1 })
    .onConflict((conflict) =>
      conflict.columns(['site_id', 'day']).doUpdateSet((row) => ({ marked: row('tracker_dirty_days.marked', '+', 1) })),
    )
    .execute()
  await retireBuilds(tx, { site_id, day, retired_at })
}

const SiteDay = Type.Object({ site_id: Type.String(), date: Type.String() })

const daysWithFacts = (since: number) => rows(SiteDay)`
  SELECT toString(site_id) AS site_id, toString(day) AS date
  FROM spoor.requests
  WHERE day >= ${day(utcDay(since))} OR received_at >= ${instant(since)}
  GROUP BY site_id, date
  ORDER BY site_id, date`

const daysWithEvents = (since: number) => rows(SiteDay)`
  SELECT toString(site_id) AS site_id, toString(day) AS date
  FROM spoor.events
  WHERE day >= ${day(utcDay(since))} AND stream != 'bot'
  GROUP BY site_id, date
  ORDER BY site_id, date`
