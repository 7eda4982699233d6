import Type from 'typebox'
import { oneOf } from '#contract/fields.ts'
import { IDENTITIES } from '#contract/vocabulary.ts'
import { and, count, rows, sql, text } from '#evidence/sql.ts'
import { type CrawlerScope, countedDays, labels, passesFilter } from './scope.sql.ts'

/** A row of one grouping. Columns of the other groupings have their type's default value. */
const DailyCount = Type.Object({
  part: oneOf(['identity', 'status', 'crawler', 'source']),
  date: Type.String(),
  identity: Type.Union([oneOf(IDENTITIES), Type.Literal('')]),
  status: Type.Integer(),
  crawler_id: Type.String(),
  source_id: Type.String(),
  requests: count(),
})

/**
 * Requests by day and identity, by day and status, by crawler and status, and by source: of one crawler, or of all
 * crawlers that the filter shows.
 */
export const dailyCounts = (scope: CrawlerScope, crawler_id: string | null) =>
  rows(DailyCount)`
  WITH ${countedDays(scope)},${labels(scope)}
  SELECT multiIf(grouping(identity) = 0, 'identity', grouping(crawler_id) = 0, 'crawler', grouping(status) = 0, 'status',
      'source') AS part,
    toString(day) AS date, toString(identity) AS identity, status, toString(crawler_id) AS crawler_id,
    toString(source_id) AS source_id, sum(requests) AS requests
  FROM counted
  INNER JOIN labels USING (agent_key)
  WHERE ${and([passesFilter(scope), ...(crawler_id === null ? [] : [sql`crawler_id = ${text(crawler_id)}`])])}
  GROUP BY GROUPING SETS ((day, identity), (day, status), (crawler_id, status), (source_id))
  ORDER BY part, date, identity, crawler_id, status, source_id`
