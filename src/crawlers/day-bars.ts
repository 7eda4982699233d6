import type { PURPOSES } from '#contract/vocabulary.ts'
import type { SiteContext } from './context.ts'
import { withReading } from './coverage/fall-back-to-roll-ups.ts'
import type { CrawlerReading } from './coverage/meta.ts'
import { publish } from './coverage/publish-count.ts'
import { GROUPING, requestCounts } from './performance.sql.ts'
import { isEmpty } from './scope.sql.ts'

/** Requests and coverage of each day of a window, from the counts of the performance answer. */
export async function readDayBars(
  ctx: SiteContext,
  input: { window: string; purpose: (typeof PURPOSES)[number][] },
): Promise<Pick<CrawlerReading, 'meta'> & { total: number | null; days: DayBar[] }> {
  return withReading(ctx, input, async ({ meta, verdict, scope, states }) => {
    const counts = isEmpty(scope) ? [] : await ctx.evidence.all(requestCounts(scope))
    const byDay = new Map<string, number>()
    for (const { grouping_id, date, counted } of counts) {
      if (grouping_id === GROUPING.daily && counted > 0) byDay.set(date, (byDay.get(date) ?? NONE) + counted)
    }
    const total = [...byDay.values()].reduce((sum, requests) => sum + requests, NONE)
    return {
      meta,
      total: publish(verdict, total),
      days: [...states].map(([date, state]) => ({ date, state, observed_request_count: byDay.get(date) ?? null })),
    }
  })
}

export interface DayBar {
  date: string
  state: 'complete' | 'partial' | 'gap'
  /** Null: none was observed. */
  observed_request_count: number | null
}

/** The sum of no rows. */
const NONE = 0
