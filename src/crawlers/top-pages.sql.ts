import Type from 'typebox'
import { oneOf, orNull } from '#contract/fields.ts'
import { PATH_CLASSES, PATH_FIDELITIES, PURPOSES } from '#contract/vocabulary.ts'
import { count, type Fragment, list, rows, sql, text, uint, uuid } from '#evidence/sql.ts'
import { type CrawlerScope, countedPages, labelsOfVersion, passesFilter } from './scope.sql.ts'

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
  /** Counts only pages of one class. */
  path_class?: string
}

/**
 * What the filter hides, one row for each purpose, and then the pages with the most requests, at least `limit` where so
 * many are: one scan of the same rows. Names are joined only to the pages that can still be among the first `limit`
 * (ties included), because ties are ordered by host and path and the roll-up knows neither.
 */
export const pageCounts = (scope: CrawlerScope, { limit, crawlers, part, path_class }: TopPagesLimits) => {
  const fits = crawlers <= MASK_BITS
  const mark = fits ? sql`bitShiftLeft(toUInt256(1), dense_rank() OVER (ORDER BY crawler_id) - 1)` : sql`crawler_id`
  const most = uint(limit + PURPOSES.length)
  const isInPart = (page: Fragment) =>
    part === undefined ? sql`1` : sql`${page} % ${uint(part.of)} = ${uint(part.index)}`
  const isOfClass =
    path_class === undefined
      ? sql``
      : sql`
      AND counted.page_id IN (
        SELECT page_id FROM spoor.pages FINAL WHERE site_id = ${uuid(scope.site_id)} AND path_class = ${text(path_class)}
      )`
  const distinct = fits ? sql`bitCount(groupBitOr(marks.mark))` : sql`uniqExact(marks.mark)`
  return rows(PageCount)`
  WITH ${countedPages(scope)},
  -- A mark for the crawler of each agent; hidden is not 0 where the filter hides its purpose.
  marks AS (
    SELECT agent_key, ${mark} AS mark,
      if(${passesFilter(scope)}, 0, toUInt8(indexOf(${list('String', PURPOSES)}, purpose))) AS hidden
    FROM (${labelsOfVersion(scope)}
    )
  ),
  -- The pages with the most requests, ties included, and all that is hidden of each purpose.
  top AS (
    SELECT
      if(marks.hidden = 0, counted.page_id, 0) AS page_id,
      marks.hidden AS hidden,
      sum(counted.requests) AS requests,
      sum(counted.observed) AS observed,
      ${distinct} AS crawlers,
      countIf(hidden = 0) OVER () AS total_pages,
      sumIf(sum(counted.requests), hidden = 0) OVER () AS total_requests
    FROM counted
    INNER JOIN marks USING (agent_key)
    WHERE ${isInPart(sql`counted.page_id`)}${isOfClass}
    GROUP BY page_id, hidden
    ORDER BY hidden DESC, requests DESC
    LIMIT ${most} WITH TIES
  ),
  -- What the pages of the site are called.
  names AS (
    SELECT page_id, host, path, path_fidelity, path_class
    FROM spoor.pages FINAL
    WHERE site_id = ${uuid(scope.site_id)} AND ${isInPart(sql`page_id`)}
  )
  SELECT
    names.host AS host, names.path AS path,
    toString(names.path_fidelity) AS path_fidelity, toString(names.path_class) AS path_class,
    hidden, requests, observed, crawlers, total_pages, total_requests
  FROM names
  RIGHT JOIN top USING (page_id)
  ORDER BY hidden DESC, requests DESC, host, path
  LIMIT ${most}`
}
