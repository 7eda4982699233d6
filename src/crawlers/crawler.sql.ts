import Type from 'typebox'
import { oneOf } from '#contract/fields.ts'
import { IDENTITIES, PATH_CLASSES, PATH_FIDELITIES } from '#contract/vocabulary.ts'
import { count, type Fragment, rows, sql, text, uint, uuid } from '#evidence/sql.ts'
import { type CrawlerScope, countedOutcomes, countedRequests, labelsOfVersion } from './scope.sql.ts'

/** A row of one of the groupings, or one status of a page; columns of the other groupings hold their default. */
const CrawlerDetail = Type.Object({
  part: oneOf(['daily', 'status', 'identity', 'page']),
  date: Type.String(),
  status: Type.Integer(),
  identity: Type.Union([oneOf(IDENTITIES), Type.Literal('')]),
  host: Type.String(),
  path: Type.String(),
  path_fidelity: oneOf(PATH_FIDELITIES),
  path_class: oneOf(PATH_CLASSES),
  requests: count(),
  /** Of a page: its requests of every status. */
  page_requests: count(),
  total_pages: count(),
})

export interface CrawlerDetailLimits {
  /** How many pages to answer. */
  limit: number
  /** Counts only the pages of one of several parts of equal size. */
  part?: { index: number; of: number }
}

/**
 * The requests of one crawler by day, status and identity, and its pages with the most requests, ties included, because
 * ties are ordered by host and path and the roll-up knows neither.
 */
export const crawlerDetails = (scope: CrawlerScope, crawler_id: string, { limit, part }: CrawlerDetailLimits) => {
  const isInPart = (page: Fragment) =>
    part === undefined ? sql`1` : sql`${page} % ${uint(part.of)} = ${uint(part.index)}`
  return rows(CrawlerDetail)`
  WITH ${countedRequests(scope)},${countedOutcomes(scope, sql`outcomes`)},
  -- The agents that the registry calls by this crawler, with the identity that their proof gives them.
  own_agents AS (
    SELECT agent_key, identity
    FROM (${labelsOfVersion(scope)}
    )
    WHERE crawler_id = ${text(crawler_id)}
  ),
  -- Requests by day, by status and by identity.
  totals AS (
    SELECT multiIf(grouping(day) = 0, 'daily', grouping(status) = 0, 'status', 'identity') AS part,
      toString(day) AS date, status, toString(identity) AS identity, sum(requests) AS requests
    FROM counted
    INNER JOIN own_agents USING (agent_key)
    GROUP BY GROUPING SETS ((day), (status), (identity))
  ),
  -- Requests by page and status.
  page_statuses AS (
    SELECT page_id, status, sum(requests) AS requests
    FROM outcomes
    INNER JOIN own_agents USING (agent_key)
    WHERE ${isInPart(sql`page_id`)}
    GROUP BY page_id, status
  ),
  -- The pages with the most requests, ties included.
  top AS (
    SELECT page_id, sum(requests) AS page_requests, groupArray(status) AS statuses, groupArray(requests) AS counts,
      count() OVER () AS total_pages
    FROM page_statuses
    GROUP BY page_id
    ORDER BY page_requests DESC
    LIMIT ${uint(limit)} WITH TIES
  ),
  -- The first of them in their order, with their names.
  named AS (
    SELECT pages.host AS host, pages.path AS path, toString(pages.path_fidelity) AS path_fidelity,
      toString(pages.path_class) AS path_class, statuses, counts, page_requests, total_pages
    FROM spoor.pages AS pages FINAL
    INNER JOIN top USING (page_id)
    WHERE pages.site_id = ${uuid(scope.site_id)} AND ${isInPart(sql`pages.page_id`)}
    ORDER BY page_requests DESC, host, path
    LIMIT ${uint(limit)}
  )
  SELECT * FROM (
    SELECT part, date, status, identity, '' AS host, '' AS path, 'exact' AS path_fidelity, 'content' AS path_class,
      requests, toUInt64(0) AS page_requests, toUInt64(0) AS total_pages
    FROM totals
    UNION ALL
    SELECT 'page' AS part, '' AS date, of_status AS status, '' AS identity, toString(host) AS host, path, path_fidelity, path_class,
      of_requests AS requests, page_requests, total_pages
    FROM named
    ARRAY JOIN statuses AS of_status, counts AS of_requests
  )
  ORDER BY part, date, status = 0, identity, page_requests DESC, host, path, status`
}
