import Type from 'typebox'
import { oneOf, orNull } from '#contract/fields.ts'
import { PATH_CLASSES, PATH_FIDELITIES, PURPOSES } from '#contract/vocabulary.ts'
import { count, type Fragment, list, rows, sql, text, uint, uuid } from '#evidence/sql.ts'
import { type CrawlerScope, countedPages, labelsOfVersion, passesFilter } from './scope.sql.ts'

/** A page, or the requests of one purpose that the filter hides, which have no name. */
const PageCount = Type.Object({
  host: orNull(Type.String()),
  path: orNull(Type.String()),
  path_fidelity: orNull(oneOf(PATH_FIDELITIES)),
  path_class: orNull(oneOf(PATH_CLASSES)),
  /** 0 for a page, else the index of the hidden purpose in PURPOSES, from 1. */
  hidden: Type.Integer(),
  requests: count(),
  observed: count(),
  crawlers: count(),
  total_pages: count(),
  total_requests: count(),
})

/** The crawlers of a page are counted as bits of one number, which is several times faster than a set. */
export const MASK_BITS = 256

/** The part `marks`: a mark for the crawler of each agent; `hidden` is not 0 if the filter hides its purpose. */
const marks = (scope: CrawlerScope, fits: boolean): Fragment => {
  const mark = fits ? sql`bitShiftLeft(toUInt256(1), dense_rank() OVER (ORDER BY crawler_id) - 1)` : sql`crawler_id`
  return sql`
  -- A mark for the crawler of each agent; hidden is not 0 if the filter hides its purpose.
  marks AS (
    SELECT agent_key, crawler_id, ${mark} AS mark,
      if(${passesFilter(scope)}, 0, toUInt8(indexOf(${list('String', PURPOSES)}, purpose))) AS hidden
    FROM (${labelsOfVersion(scope)}
    )
  )`
}

const isOfClass = ({ site_id }: CrawlerScope, path_class: string | undefined): Fragment =>
  path_class === undefined
    ? sql``
    : sql`
      AND counted.page_id IN (
        SELECT page_id FROM spoor.pages FINAL WHERE site_id = ${uuid(site_id)} AND path_class = ${text(path_class)}
      )`

export interface TopPagesLimits {
  /** How many pages to answer. */
  limit: number
  /** The number of crawlers of the registry. If a mask has fewer bits, crawlers of pages are counted as sets. */
  crawlers: number
  /** Counts only the pages of one of several parts of equal size. */
  part?: { index: number; of: number }
  /** Counts only pages of one class. */
  path_class?: string
}

/**
 * The requests that the filter hides, one row for each purpose, and then the pages with the most requests, `limit` of
 * them if there are so many: from one scan of the same rows. Names are joined only to pages that can still be among the
 * first `limit` (ties included), because ties are ordered by host and path, which the roll-up does not have.
 */
export const pageCounts = (scope: CrawlerScope, { limit, crawlers, part, path_class }: TopPagesLimits) => {
  const fits = crawlers <= MASK_BITS
  const maxRows = uint(limit + PURPOSES.length)
  const isInPart = (page: Fragment) =>
    part === undefined ? sql`1` : sql`${page} % ${uint(part.of)} = ${uint(part.index)}`
  const distinct = fits ? sql`bitCount(groupBitOr(marks.mark))` : sql`uniqExact(marks.mark)`
  return rows(PageCount)`
  WITH ${countedPages(scope)},${marks(scope, fits)},
  -- The pages with the most requests, ties included, and the hidden requests of each purpose.
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
    WHERE ${isInPart(sql`counted.page_id`)}${isOfClass(scope, path_class)}
    GROUP BY page_id, hidden
    ORDER BY hidden DESC, requests DESC
    LIMIT ${maxRows} WITH TIES
  ),
  -- The names of the pages of the site.
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
  LIMIT ${maxRows}`
}

/** All pages in one row, as lists of hex digits in the order of `ids`; or the hidden requests of a purpose. */
const PageSums = Type.Object({
  /** As in PageCount. */
  hidden: Type.Integer(),
  requests: count(),
  pages: count(),
  /** The names of the marks, from the lowest bit on. */
  crawlers: Type.Array(Type.String()),
  /** 64 bits each, ascending; empty if there are more pages than `max_pages`. */
  ids: Type.String(),
  /** 64-bit floating-point numbers. */
  page_requests: Type.String(),
  page_observed: Type.String(),
  /** The marks of each page, in as many bytes as all crawlers need. */
  page_marks: Type.String(),
})

/**
 * Requests of every page by its id, up to `max_pages`, to be added up with other such sums. A registry with more than
 * MASK_BITS crawlers does not fit.
 */
export const pageSums = (
  scope: CrawlerScope,
  { path_class, max_pages }: { path_class?: string; max_pages: number },
) => {
  const hexOf = (value: Fragment) => sql`arrayStringConcat(arrayMap(page -> ${value}, found))`
  return rows(PageSums)`
  WITH ${countedPages(scope)},${marks(scope, true)},
  -- Requests of each page, and the hidden requests of each purpose.
  sums AS (
    SELECT if(marks.hidden = 0, counted.page_id, 0) AS page_id, marks.hidden AS hidden, sum(counted.requests) AS requests,
      sum(counted.observed) AS observed, groupBitOr(marks.mark) AS mark
    FROM counted
    INNER JOIN marks USING (agent_key)
    WHERE 1${isOfClass(scope, path_class)}
    GROUP BY page_id, hidden
  ),
  -- All pages as one list.
  lists AS (
    SELECT hidden, sum(sums.requests) AS all_requests, count() AS all_pages,
      arraySort(page -> page.id, groupArray(${uint(max_pages + 1)})(CAST(
        (page_id, sums.requests, observed, mark) AS Tuple(id UInt64, requests Float64, observed Float64, mark UInt256)))) AS listed,
      if(hidden = 0 AND all_pages <= ${uint(max_pages)}, listed, []) AS found
    FROM sums
    GROUP BY hidden
  ),
  (SELECT arraySort(groupUniqArray(toString(crawler_id))) FROM marks) AS names
  SELECT hidden, all_requests AS requests, all_pages AS pages, names AS crawlers,
    ${hexOf(sql`hex(reinterpretAsFixedString(page.id))`)} AS ids,
    ${hexOf(sql`hex(reinterpretAsFixedString(page.requests))`)} AS page_requests,
    ${hexOf(sql`hex(reinterpretAsFixedString(page.observed))`)} AS page_observed,
    ${hexOf(sql`substring(hex(reinterpretAsFixedString(page.mark)), 1, 2 * intDiv(length(names) + 7, 8))`)} AS page_marks
  FROM lists
  ORDER BY hidden`
}

const PageName = Type.Object({
  page_id: Type.String(),
  host: Type.String(),
  path: Type.String(),
  path_fidelity: oneOf(PATH_FIDELITIES),
  path_class: oneOf(PATH_CLASSES),
})

/** Host, path, fidelity and class of these pages. */
export const namesOfTopPages = (site_id: string, page_ids: readonly string[]) => rows(PageName)`
  SELECT toString(page_id) AS page_id, host, path, toString(path_fidelity) AS path_fidelity, toString(path_class) AS path_class
  FROM spoor.pages FINAL
  WHERE site_id = ${uuid(site_id)} AND page_id IN ${list('UInt64', page_ids)}
  ORDER BY page_id`
