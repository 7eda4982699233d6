/** Home page and robots.txt of the hosts that crawlers are served on, once a UTC day (rules 8.3). */
import type { CrawlerContext } from '#crawlers/context.ts'
import { readServedHosts } from '#crawlers/served-hosts.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import type { Site } from '#sites/site.ts'
import { queueInspections } from './queue.ts'

export type PlanContext = CrawlerContext

/** 2xx requests of crawlers in 30 days, and hosts of the installation. */
const MIN_REQUESTS = 20
const MAX_HOSTS = 50

/** Queues what has none today; returns how many. */
export async function planHomeInspections(ctx: PlanContext, signal: AbortSignal): Promise<number> {
  const { control, clock } = ctx
  const sites = await control.db
    .selectFrom('sites')
    .select(['id', 'account_id', 'root_domain'])
    .orderBy('root_domain')
    .execute()
  const today = dayStart(utcDay(clock.now()))
  const done = await control.db
    .selectFrom('inspections')
    .select(['site_id', 'host'])
    .where('reason', '=', 'home')
    .where('queued_at', '>=', today)
    .execute()
  let queued = 0
  for (const found of sites) {
    const site: Site = { ...found, role: 'owner' }
    signal.throwIfAborted()
    const room = MAX_HOSTS - done.length - queued
    if (room <= 0) break
    const known = new Set(done.filter(({ site_id }) => site_id === site.id).map(({ host }) => host))
    const hosts = await readServedHosts({ ...ctx, site }, { least: MIN_REQUESTS, limit: room + known.size })
    const inputs = hosts
      .filter((host) => !known.has(host))
      .slice(0, room)
      .map((host) => ({
        ...{ site_id: site.id, host, path: '/', crawler_id: null, issue_id: null },
        reason: 'home' as const,
      }))
    queued += (await queueInspections(control.db, inputs, clock.now())).length
  }
  return queued
}
