import { compareText } from '#compare-text.ts'
import type { DailyBreakdown, DailyBreakdownInput } from '#contract/dashboard-api/index.ts'
import { IDENTITIES, type Identity, OUTCOMES, PURPOSES } from '#contract/vocabulary.ts'
import type { Row } from '#evidence/sql.ts'
import { addUp, orderedBy, readRows } from './cached-counts.ts'
import type { SiteContext } from './context.ts'
import { withReading } from './coverage/fall-back-to-roll-ups.ts'
import { publish } from './coverage/publish-count.ts'
import { dailyCounts } from './daily-breakdown.sql.ts'
import { outcomeOf } from './http-outcomes.ts'
import { type CrawlerScope, isEmpty } from './scope.sql.ts'

type DailyCount = Row<ReturnType<typeof dailyCounts>>

/** The columns that rows are sorted by, here and in the statement. */
const KEY = ['part', 'date', 'identity', 'crawler_id', 'status', 'source_id'] as const

/**
 * Days by identity and by outcome, crawlers by outcome, and the sources that counted: of one crawler, to which no
 * filter applies, or of all that the filter shows. The rows of each part add up to the same total (decisions 7.4).
 */
export async function readDailyBreakdown(ctx: SiteContext, input: DailyBreakdownInput): Promise<DailyBreakdown> {
  const { window, crawler_id = null } = input
  const purpose = crawler_id === null ? input.purpose : PURPOSES
  return withReading(ctx, { window, purpose }, async ({ meta, verdict, scope }) => {
    const statement = (of: CrawlerScope) => dailyCounts(of, crawler_id)
    const name = crawler_id === null ? 'daily' : `daily of ${crawler_id}`
    const rows = isEmpty(scope) ? [] : await readRows(ctx, scope, name, statement)
    const counts = orderedBy(addUp(rows, ['requests']), KEY)
    const of = (part: DailyCount['part']) => counts.filter((row) => row.part === part)
    return {
      meta,
      crawler_id,
      observed_request_count: publish(verdict, sum(of('source'))),
      daily_identities: of('identity')
        .toSorted(
          (a, b) =>
            compareText(a.date, b.date) ||
            IDENTITIES.indexOf(a.identity as Identity) - IDENTITIES.indexOf(b.identity as Identity),
        )
        .map(({ date, identity, requests }) => ({
          date,
          identity: identity as Identity,
          observed_request_count: requests,
        })),
      daily_outcomes: foldDays(of('status')),
      crawler_outcomes: foldCrawlers(of('crawler')),
      sources: of('source')
        .toSorted((a, b) => b.requests - a.requests)
        .map(({ source_id, requests }) => ({ source_id, observed_request_count: requests })),
    }
  })
}

/** Statuses of a day as its outcome classes, in the order of the vocabulary. */
export const foldDays = (rows: readonly ({ date: string } & StatusCount)[]) =>
  [...Map.groupBy(rows, ({ date }) => date)].flatMap(([date, of_day]) =>
    outcomesOf(of_day).map((counted) => ({ date, ...counted })),
  )

const foldCrawlers = (rows: readonly ({ crawler_id: string } & StatusCount)[]) =>
  [...Map.groupBy(rows, ({ crawler_id }) => crawler_id)].flatMap(([crawler_id, of_crawler]) =>
    outcomesOf(of_crawler).map((counted) => ({ crawler_id, ...counted })),
  )

interface StatusCount {
  status: number
  requests: number
}

const outcomesOf = (rows: readonly StatusCount[]) =>
  OUTCOMES.flatMap((outcome) => {
    const members = rows.filter(({ status }) => outcomeOf(status) === outcome)
    return members.length === 0 ? [] : [{ outcome, observed_request_count: sum(members) }]
  })

const sum = (rows: readonly { requests: number }[]): number => rows.reduce((total, row) => total + row.requests, 0)
