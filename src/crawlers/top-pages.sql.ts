import Type from 'typebox'
import { oneOf } from '#contract/fields.ts'
import { PATH_CLASSES, PATH_FIDELITIES } from '#contract/vocabulary.ts'
import { count, rows, uint, uuid } from '#evidence/sql.ts'
import { type CrawlerScope, countedPages, labels, passesFilter } from './scope.sql.ts'

const PageCount = Type.Object({
  host: Type.String(),
  path: Type.String(),
  path_fidelity: oneOf(PATH_FIDELITIES),
  path_class: oneOf(PATH_CLASSES),
  requests: count(),
  observed: count(),
  crawlers: count(),
  total_pages: count(),
  total_requests: count(),
})

/**
 * The pages with the most requests. Names are joined only to the pages that can still be among the first `limit`
 * (ties included), because ties are ordered by host and path and the roll-up knows neither.
 */
export const pageCounts = (scope: CrawlerScope, limit: number) => rows(PageCount)`
  SELECT
    names.host AS host, names.path AS path,
    toString(names.path_fidelity) AS path_fidelity, toString(names.path_class) AS path_class,
    requests, observed, crawlers, total_pages, total_requests
  FROM (
    SELECT
      page_id,
      sum(counted.requests) AS requests,
      sum(counted.observed) AS observed,
      uniqExact(labels.crawler_id) AS crawlers,
      count() OVER () AS total_pages,
      sum(sum(counted.requests)) OVER () AS total_requests
    FROM (${countedPages(scope)}) AS counted
    INNER JOIN (${labels(scope)}) AS labels USING (agent_key)
    WHERE ${passesFilter(scope)}
    GROUP BY page_id
    ORDER BY requests DESC
    LIMIT ${uint(limit)} WITH TIES
  ) AS top
  INNER JOIN (
    SELECT page_id, host, path, path_fidelity, path_class FROM spoor.pages FINAL WHERE site_id = ${uuid(scope.site_id)}
  ) AS names USING (page_id)
  ORDER BY requests DESC, host, path
  LIMIT ${uint(limit)}`
