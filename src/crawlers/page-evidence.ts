/** Crawler requests of single pages, for answers about other things (account API 2.3). */
import { instantText } from '#clock.ts'
import { type COVERAGE_STATES, PURPOSES } from '#contract/vocabulary.ts'
import type { DayRange } from '#days/windows.ts'
import type { SiteContext } from './context.ts'
import { withReading } from './coverage/fall-back-to-roll-ups.ts'
import { publish, verdictOfPage } from './coverage/publish-count.ts'
import { requestsOfPages } from './page-evidence.sql.ts'
import { isEmpty } from './scope.sql.ts'

/** Host and path of a page in evidence; `path` is a path/v1. */
export interface SitePage {
  host: string
  path: string
}

export interface PageEvidence {
  coverage_state: (typeof COVERAGE_STATES)[number]
  /** Null: no request was observed, and zero is not proven. */
  observed_request_count: number | null
  last_observed_at: string | null
}

/** Paths may be long, and the length of a statement is limited. */
const PAGES_AT_ONCE = 100

/**
 * Requests of these days, added up over the pages of each group, in the order of the groups. A zero that is not proven
 * is null, as in every crawler answer (spec 2.2).
 */
export async function readPageEvidence(
  ctx: SiteContext,
  days: DayRange,
  groups: readonly (readonly SitePage[])[],
): Promise<PageEvidence[]> {
  return withReading(ctx, { days, purpose: PURPOSES }, async (reading) => {
    const { scope } = reading
    const pages = groups.flat()
    const found = new Map<string, { requests: number; last_ms: number }>()
    for (let at = 0; at < pages.length && !isEmpty(scope); at += PAGES_AT_ONCE) {
      const some = await ctx.evidence.all(requestsOfPages(scope, pages.slice(at, at + PAGES_AT_ONCE)))
      for (const row of some) found.set(keyOf(row), row)
    }
    return groups.map((group) => {
      const seen = group.map((page) => found.get(keyOf(page))).filter((row) => row !== undefined)
      const requests = seen.reduce((sum, row) => sum + row.requests, 0)
      const hosts = [...new Set(group.map(({ host }) => host))]
      const verdict = verdictOfPage(reading, hosts)
      const is_known = verdict.state !== 'unknown' && seen.length > 0
      return {
        coverage_state: verdict.state,
        observed_request_count: publish(verdict, requests),
        last_observed_at: is_known ? instantText(Math.max(...seen.map(({ last_ms }) => last_ms))) : null,
      }
    })
  })
}

const keyOf = ({ host, path }: SitePage) => `${host} ${path}`
