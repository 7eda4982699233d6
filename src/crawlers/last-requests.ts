/** The last request of each crawler for a page, which access checks show with their result (rules 8.5). */
import { instantText } from '#clock.ts'
import { PURPOSES } from '#contract/vocabulary.ts'
import type { SiteContext } from './context.ts'
import { withReading } from './coverage/fall-back-to-roll-ups.ts'
import { verdictOfPage } from './coverage/publish-count.ts'
import { lastRequests } from './last-requests.sql.ts'
import { isEmpty } from './scope.sql.ts'

export interface LastRequest {
  crawler_id: string
  last_observed_at: string | null
  last_status: number | null
}

const WINDOW = '90d'

/** The last requests in 90 days, by crawler; null if no source covered the host in that time. `path` is a path/v1. */
export async function readLastRequests(
  ctx: SiteContext,
  { host, path }: { host: string; path: string },
): Promise<LastRequest[] | null> {
  return withReading(ctx, { window: WINDOW, purpose: PURPOSES }, async (reading) => {
    const { scope } = reading
    const found = isEmpty(scope) ? [] : await ctx.evidence.all(lastRequests(scope, host, path))
    if (found.length === 0 && !verdictOfPage(reading, [host]).is_covered) return null
    return found.map(({ crawler_id, last_request_at, last_status }) => ({
      crawler_id,
      last_observed_at: instantText(last_request_at),
      last_status: last_status === 0 ? null : last_status,
    }))
  })
}
