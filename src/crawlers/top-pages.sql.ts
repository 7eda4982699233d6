import Type from 'typebox'
import { oneOf, orNull } from '#contract/fields.ts'
import { PATH_CLASSES, PATH_FIDELITIES, PURPOSES } from '#contract/vocabulary.ts'
import { count, list, rows, sql, uint, uuid } from '#evidence/sql.ts'
import { type CrawlerScope, countedPages, labels, passesFilter } from './scope.sql.ts'

/** A page, or all that the filter hides of one purpose; then there is no name. */
const PageCount = Type.Object({
  host: orNull(Type.String()),
  path: orNull(Type.String()),
  path_fidelity: orNull(oneOf(PATH_FIDELITIES)),
  path_class: orNull(oneOf(PATH_CLASSES)),
  /** 0 for a page, else the hidden purpose's place in PURPOSES, from 1. */
  hidden: Type.Integer(),
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
  /** Counts only the pages of one of several parts of equal size. */
  part?: { index: number; of: number }
}

/**
 * What the filter hides, one row for each purpose, and then the pages with the most requests, at least `limit` where so many are: one
 * scan of the same rows. Names are joined only to the pages that can still be among the first `limit` (ties included), because
 * ties are ordered by host and path and the roll-up knows neither.
 */
export const pageCounts = (scope: CrawlerScope, { limit, crawlers, part }: TopPagesLimits) => {
  const fits = crawlers <= MASK_BITS
  const mark = fits ? sql`bitShiftLeft(toUInt256(1), dense_rank() OVER (ORDER BY crawler_id) - 1)` : sql`crawler_id`
  const most = uint(limit + PURPOSES.length)
  const inPart = part === undefined ? sql`1` : sql`page_id % ${uint(part.of)} = ${uint(part.index)}`
  const counted = part === undefined ? countedPages(scope) : sql`SELECT * FROM (${countedPages(scope)}) WHERE ${inPart}`
  const distinct = fits ? sql`bitCount(groupBitOr(labels.mark))` : sql`uniqExact(labels.mark)`
  return rows(PageCount)`
  SELECT
    names.host AS host, names.path AS path,
    toString(names.path_fidelity) AS path_fidelity, toString(names.path_class) AS path_class,
    hidden, requests, observed, crawlers, total_pages, total_requests
  FROM (
    SELECT page_id, host, path, path_fidelity, path_class FROM spoor.pages FINAL
    WHERE site_id = ${uuid(scope.site_id)} AND ${inPart}
  ) AS names
  RIGHT JOIN (
    SELECT
      if(labels.hidden = 0, counted.page_id, 0) AS page_id,
      labels.hidden AS hidden,
      sum(counted.requests) AS requests,
      sum(counted.observed) AS observed,
      ${distinct} AS crawlers,
      countIf(hidden = 0) OVER () AS total_pages,
      sumIf(sum(counted.requests), hidden = 0) OVER () AS total_requests
    FROM (${counted}) AS counted
    INNER JOIN (
      SELECT agent_key, ${mark} AS mark, if(${passesFilter(scope)}, 0, toUInt8(indexOf(${list('String', PURPOSES)}, purpose))) AS hidden
      FROM (${labels(scope)})
    ) AS labels USING (agent_key)
    GROUP BY page_id, hidden
    ORDER BY hidden DESC, requests DESC
    LIMIT ${most} WITH TIES
  ) AS top USING (page_id)
  ORDER BY hidden DESC, requests DESC, host, path
  LIMIT ${most}`
}
