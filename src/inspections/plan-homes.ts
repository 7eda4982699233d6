/** Plans inspections of home page and robots.txt, once per UTC day, for hosts that serve crawlers (rules 8.3). */
import type { CrawlerContext } from '#crawlers/context.ts'
import { readServedHosts } from '#crawlers/served-hosts.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import type { Site } from '#sites/site.ts'
import { queueInspections } from './queue.ts'

export type PlanContext = CrawlerContext

/** The fewest 2xx requests of crawlers in 30 days, and the most hosts per site and day. */
const MIN_REQUESTS = 20
const MAX_HOSTS = 50

/** Queues inspections for sites without one today, of the busiest hosts of each. Returns their number. */
export async function planHomeInspections(
  ctx: PlanContext,
  signal: AbortSignal,
  { max_hosts = MAX_HOSTS }: { max_hosts?: number } = {},
): Promise<number> {
  const { control, clock } = ctx
  const sites = await control.db
    .selectFrom('sites')
    .select(['id', 'account_id', 'root_domain'])
    .orderBy('root_domain')
    .execute()
  const today = dayStart(utcDay(clock.now()))
  const inspected = await control.db
    .selectFrom('inspections')
    .select('site_id')
    .distinct()
    .where('reason', '=', 'home')
    .where('queued_at', '>=', today)
    .execute()
  const done = new Set(inspected.map(({ site_id }) => site_id))
  let queued = 0
  for (const found of sites) {
    const site: Site = { ...found, role: 'owner' }
    signal.throwIfAborted()
    if (done.has(site.id)) continue
    const hosts = await readServedHosts({ ...ctx, site }, { least: MIN_REQUESTS, limit: max_hosts })
    const inputs = hosts.map((host) => ({
      site_id: site.id,
      host,
      path: '/',
      crawler_id: null,
      issue_id: null,
      reason: 'home' as const,
    }))
    queued += (await queueInspections(control.db, inputs, clock.now())).length
  }
  return queued
}
