import type { Performance, PerformanceInput } from '#contract/site-api/index.ts'
import { PATH_CLASSES, PURPOSES, SCOPES } from '#contract/vocabulary.ts'
import type { Row } from '#evidence/sql.ts'
import { addUp, orderedBy, readRows } from './cached-counts.ts'
import type { SiteContext } from './context.ts'
import { withReading } from './coverage/fall-back-to-roll-ups.ts'
import type { CrawlerReading } from './coverage/meta.ts'
import { publish } from './coverage/publish-count.ts'
import { foldOutcomes } from './http-outcomes.ts'
import { GROUPING, requestCounts } from './performance.sql.ts'
import { isEmpty } from './scope.sql.ts'

type Count = Row<ReturnType<typeof requestCounts>>

/** The columns that rows are sorted by, here and in the statement. */
const KEY = ['grouping_id', 'date', 'crawler_id', 'status', 'purpose', 'scope', 'path_class'] as const

/** Observed requests of the window: by day and crawler, and by HTTP outcome (spec 2.5 Performance). */
export async function readPerformance(ctx: SiteContext, input: PerformanceInput): Promise<Performance> {
  return withReading(ctx, input, (reading) => countRequests(ctx, reading))
}

async function countRequests(ctx: SiteContext, { meta, verdict, scope }: CrawlerReading): Promise<Performance> {
  const rows = isEmpty(scope) ? [] : await readRows(ctx, scope, 'performance', requestCounts)
  const counts = orderedBy(addUp(rows, ['counted', 'hidden']), KEY)
  const daily = grouping(counts, GROUPING.daily)
  return {
    meta,
    observed_request_count: publish(verdict, sum(daily)),
    daily: daily.map((row) => ({
      date: row.date,
      crawler_id: row.crawler_id,
      observed_request_count: row.counted,
    })),
    http_outcomes: foldOutcomes(grouping(counts, GROUPING.status)),
    observed_by_scope: SCOPES.flatMap((scope) =>
      grouping(counts, GROUPING.scope)
        .filter((row) => row.scope === scope)
        .map((row) => ({ scope, observed_request_count: row.counted })),
    ),
    observed_by_path_class: PATH_CLASSES.flatMap((path_class) =>
      grouping(counts, GROUPING.path_class)
        .filter((row) => row.path_class === path_class)
        .map((row) => ({ path_class, observed_request_count: row.counted })),
    ),
    hidden_by_purpose_filter: PURPOSES.flatMap((purpose) =>
      counts
        .filter((row) => row.grouping_id === GROUPING.purpose && row.purpose === purpose && row.hidden > 0)
        .map((row) => ({ purpose, observed_request_count: row.hidden })),
    ),
  }
}

/** Rows of one grouping that the purpose filter shows; lists have observed requests only (rules 2). */
function grouping(counts: readonly Count[], id: number): Count[] {
  return counts.filter((row) => row.grouping_id === id && row.counted > 0)
}

function sum(counts: readonly Count[]): number {
  return counts.reduce((total, row) => total + row.counted, 0)
}
