import type { DailyBreakdown, DailyBreakdownInput } from '#contract/dashboard-api/index.ts'
import { IDENTITIES, type Identity, OUTCOMES, PURPOSES } from '#contract/vocabulary.ts'
import type { Row } from '#evidence/sql.ts'
import type { SiteContext } from './context.ts'
import { withReading } from './coverage/fall-back-to-roll-ups.ts'
import { publish } from './coverage/publish-count.ts'
import { dailyCounts } from './daily-breakdown.sql.ts'
import { outcomeOf } from './http-outcomes.ts'
import { isEmpty } from './scope.sql.ts'

type DailyCount = Row<ReturnType<typeof dailyCounts>>

/**
 * Days by identity and by outcome, and the sources that counted, of one crawler or of all that the filter shows: the
 * rows of each part add up to the same total (decisions 7.4). To one crawler no filter applies.
 */
export async function readDailyBreakdown(ctx: SiteContext, input: DailyBreakdownInput): Promise<DailyBreakdown> {
  const { window, crawler_id = null } = input
  const purpose = crawler_id === null ? input.purpose : PURPOSES
  return withReading(ctx, { window, purpose }, async ({ meta, verdict, scope }) => {
    const counts = isEmpty(scope) ? [] : await ctx.evidence.all(dailyCounts(scope, crawler_id))
    const of = (part: DailyCount['part']) => counts.filter((row) => row.part === part)
    return {
      meta,
      crawler_id,
      observed_request_count: publish(verdict, sum(of('source'))),
      daily_identities: of('identity')
        .toSorted(
          (a, b) =>
            compare(a.date, b.date) ||
            IDENTITIES.indexOf(a.identity as Identity) - IDENTITIES.indexOf(b.identity as Identity),
        )
        .map(({ date, identity, requests }) => ({
          ...{ date, identity: identity as Identity, observed_request_count: requests },
        })),
      daily_outcomes: foldDays(of('status')),
      sources: of('source')
        .toSorted((a, b) => b.requests - a.requests)
        .map(({ source_id, requests }) => ({ source_id, observed_request_count: requests })),
    }
  })
}

/** Statuses of a day as its outcome classes, in the order of the vocabulary. */
export function foldDays(rows: readonly { date: string; status: number; requests: number }[]) {
  return [...Map.groupBy(rows, ({ date }) => date)].flatMap(([date, of_day]) =>
    OUTCOMES.flatMap((outcome) => {
      const members = of_day.filter(({ status }) => outcomeOf(status) === outcome)
      return members.length === 0 ? [] : [{ date, outcome, observed_request_count: sum(members) }]
    }),
  )
}

const sum = (rows: readonly { requests: number }[]): number => rows.reduce((total, row) => total + row.requests, 0)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
