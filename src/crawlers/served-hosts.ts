/** The hosts that crawlers are served on, which are worth a daily look (rules 8.3). */
import { PURPOSES } from '#contract/vocabulary.ts'
import type { SiteContext } from './context.ts'
import { withReading } from './coverage/fall-back-to-roll-ups.ts'
import { isEmpty } from './scope.sql.ts'
import { servedHosts } from './served-hosts.sql.ts'

/** Of the last 30 days, the busiest first. */
export async function readServedHosts(ctx: SiteContext, limits: { least: number; limit: number }): Promise<string[]> {
  return withReading(ctx, { window: '30d', purpose: PURPOSES }, async ({ scope }) => {
    const found = isEmpty(scope) ? [] : await ctx.evidence.all(servedHosts(scope, limits))
    return found.map(({ host }) => host)
  })
}
