/** Marks days near the instant of a backup after its restore, so that they are derived again (rules 7). */
import Type from 'typebox'
import { DAY_MS } from '#clock.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { utcDay } from '#days/utc-day.ts'
import { markDays } from '#derived/dirty-days.ts'
import { day, instant, rows } from '#evidence/sql.ts'
import { retireVisitorBuilds } from '#tracker/sessions/visitor-facts.ts'

const MARKED_MS = 2 * DAY_MS

/** Marks the 48 hours before the backup, and crawlers' days that received facts in that time. */
export async function markRecentDaysDirty(
  ctx: Pick<CrawlerContext, 'control' | 'evidence'>,
  created_at: number,
): Promise<void> {
  const since = created_at - MARKED_MS
  const found = await ctx.evidence.all(daysWithFacts(since))
  const visited = await ctx.evidence.all(daysWithEvents(since))
  const sites = await ctx.control.db.selectFrom('sites').select('id').execute()
  const ids = new Set(sites.map((site) => site.id))
  await ctx.control.transaction(async (tx) => {
    const ofSites = (rows: typeof found) =>
      rows.filter(({ site_id }) => ids.has(site_id)).map(({ site_id, date }) => ({ site_id, day: date }))
    const mark = { cause: 'restore', state: 'written', now: created_at } as const
    await markDays(tx, { ...mark, kind: 'crawlers' }, ofSites(found))
    // Sessions of these days are derived again, and earlier builds no longer count.
    await markDays(tx, { ...mark, kind: 'sessions' }, ofSites(visited))
    for (const day of ofSites(visited)) await retireVisitorBuilds(tx, { ...day, retired_at: created_at })
  })
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
  WHERE day >= ${day(utcDay(since))} AND stream IN ('browser', 'server')
  GROUP BY site_id, date
  ORDER BY site_id, date`
