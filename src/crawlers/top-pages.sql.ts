import Type from 'typebox'
import { oneOf } from '#contract/fields.ts'
import { PATH_CLASSES, PATH_FIDELITIES } from '#contract/vocabulary.ts'
import { count, rows, sql, uint, uuid } from '#evidence/sql.ts'
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

/** Crawlers of a page are counted as bits of one number, several times faster than as a set. */
const MASK_BITS = 256

export interface TopPagesLimits {
  /** How many pages to answer. */
  limit: number
  /** How many crawlers the registry knows: more than a mask has bits are counted as a set. */
  crawlers: number
}

/**
 * The pages with the most requests. Names are joined only to the pages that can still be among the first `limit`
 * (ties included), because ties are ordered by host and path and the roll-up knows neither.
 */
export const pageCounts = (scope: CrawlerScope, { limit, crawlers }: TopPagesLimits) => {
  const fits = crawlers <= MASK_BITS
  const mark = fits ? sql`bitShiftLeft(toUInt256(1), dense_rank() OVER (ORDER BY crawler_id) - 1)` : sql`crawler_id`
  const distinct = fits ? sql`bitCount(groupBitOr(labels.mark))` : sql`uniqExact(labels.mark)`
  return rows(PageCount)`
  SELECT
    names.host AS host, names.path AS path,
    toString(names.path_fidelity) AS path_fidelity, toString(names.path_class) AS path_class,
    requests, observed, crawlers, total_pages, total_requests
  FROM (
    SELECT page_id, host, path, path_fidelity, path_class FROM spoor.pages FINAL WHERE site_id = ${uuid(scope.site_id)}
  ) AS names
  INNER JOIN (
    SELECT
      page_id,
      sum(counted.requests) AS requests,
      sum(counted.observed) AS observed,
      ${distinct} AS crawlers,
      count() OVER () AS total_pages,
      sum(sum(counted.requests)) OVER () AS total_requests
    FROM (${countedPages(scope)}) AS counted
    INNER JOIN (
      SELECT agent_key, ${mark} AS mark
      FROM (${labels(scope)})
      WHERE ${passesFilter(scope)}
    ) AS labels USING (agent_key)
    GROUP BY page_id
    ORDER BY requests DESC
    LIMIT ${uint(limit)} WITH TIES
  ) AS top USING (page_id)
  ORDER BY requests DESC, host, path
  LIMIT ${uint(limit)}`
}
