import Type from 'typebox'
import { oneOf } from '#contract/fields.ts'
import { IDENTITIES, PURPOSES, SCOPES } from '#contract/vocabulary.ts'
import { count, rows } from '#evidence/sql.ts'
import { type CrawlerScope, countedRequests, labels } from './scope.sql.ts'

const CrawlerCount = Type.Object({
  crawler_id: Type.String(),
  purpose: oneOf(PURPOSES),
  scope: oneOf(SCOPES),
  identity: oneOf(IDENTITIES),
  requests: count(),
})

/** Requests by crawler and identity; the purpose filter and the fold to the weakest identity come after the sum. */
export const crawlerCounts = (scope: CrawlerScope) =>
  rows(CrawlerCount)`
  WITH ${countedRequests(scope)},${labels(scope)}
  SELECT crawler_id, purpose, scope, identity, sum(requests) AS requests
  FROM counted
  INNER JOIN labels USING (agent_key)
  GROUP BY crawler_id, purpose, scope, identity
  ORDER BY crawler_id, identity`
