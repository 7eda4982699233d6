import Type from 'typebox'
import { count, rows } from '#evidence/sql.ts'
import { type CrawlerScope, countedRequests, labels, passesFilter } from './scope.sql.ts'

const CrawlerCount = Type.Object({
  crawler_id: Type.String(),
  purpose: Type.String(),
  scope: Type.String(),
  identity: Type.String(),
  requests: count(),
})

/** Requests by crawler and identity; the fold to the weakest identity happens after the sum. */
export const crawlerCounts = (scope: CrawlerScope) => rows(CrawlerCount)`
  SELECT crawler_id, purpose, scope, identity, sum(requests) AS requests
  FROM (${countedRequests(scope)}) AS counted
  INNER JOIN (${labels(scope)}) AS labels USING (agent_key)
  WHERE ${passesFilter(scope)}
  GROUP BY crawler_id, purpose, scope, identity
  ORDER BY crawler_id, identity`
