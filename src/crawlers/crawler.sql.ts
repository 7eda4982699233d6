import Type from 'typebox'
import { oneOf } from '#contract/fields.ts'
import { IDENTITIES, PATH_CLASSES, PATH_FIDELITIES } from '#contract/vocabulary.ts'
import { count, type Fragment, rows, sql, text, uint, uuid } from '#evidence/sql.ts'
import { type CrawlerScope, countedOutcomes, countedPageDays, countedRequests, labelsOfVersion } from './scope.sql.ts'

/** A row of one grouping, or one status of a page. Columns of the other groupings have their default value. */
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

const ownAgents = (scope: CrawlerScope, crawler_id: string): Fragment => sql`
  -- The agents that the registry assigns to this crawler, with the identity by their proof.
  own_agents AS (
    SELECT agent_key, identity
    FROM (${labelsOfVersion(scope)}
    )
    WHERE crawler_id = ${text(crawler_id)}
  )`

const TOTALS = sql`
  -- Requests by day, by status and by identity.
  totals AS (
    SELECT multiIf(grouping(day) = 0, 'daily', grouping(status) = 0, 'status', 'identity') AS part,
      toString(day) AS date, status, toString(identity) AS identity, sum(requests) AS requests
    FROM counted
    INNER JOIN own_agents USING (agent_key)
    GROUP BY GROUPING SETS ((day), (status), (identity))
  )`

/**
 * The requests of one crawler by day, status and identity, and its pages with the most requests, ties included, because
 * ties are ordered by host and path and the roll-up knows neither.
 */
export const crawlerDetails = (scope: CrawlerScope, crawler_id: string, { limit, part }: CrawlerDetailLimits) => {
  const isInPart = (page: Fragment) =>
    part === undefined ? sql`1` : sql`${page} % ${uint(part.of)} = ${uint(part.index)}`
  return rows(CrawlerDetail)`
  WITH ${countedRequests(scope)},${countedOutcomes(scope, sql`outcomes`)},${ownAgents(scope, crawler_id)},${TOTALS},
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
  -- As many of these pages as the answer lists, with their names.
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

/** Totals by day, status and identity, and one row with all pages as lists of hex digits in the order of `ids`. */
const CrawlerSums = Type.Object({
  part: oneOf(['daily', 'status', 'identity', 'pages']),
  date: Type.String(),
  status: Type.Integer(),
  identity: Type.Union([oneOf(IDENTITIES), Type.Literal('')]),
  requests: count(),
  pages: count(),
  /** 64 bits each, ascending; empty if there are more pages than `max_pages`. */
  ids: Type.String(),
  /** 64-bit floating-point numbers. */
  page_requests: Type.String(),
  page_observed: Type.String(),
  /**
   * The number of statuses of each page, 16 bits; then the statuses, page by page, 16 bits each; then their requests.
   */
  status_counts: Type.String(),
  statuses: Type.String(),
  status_requests: Type.String(),
})

/** The counts of `crawlerDetails` for all pages, up to `max_pages`, to be added up with other such sums. */
export const crawlerSums = (scope: CrawlerScope, crawler_id: string, max_pages: number) =>
  scope.builds.length === 0 ? sumsOfFacts(scope, crawler_id, max_pages) : sumsOfRollUps(scope, crawler_id, max_pages)

/** Lists of hex digits, in the order of the array `found` of pages. */
const pageLists = () => {
  const hexOf = (value: Fragment) => sql`hex(reinterpretAsFixedString(${value}))`
  const hexOfPages = (value: Fragment) => sql`arrayStringConcat(arrayMap(page -> ${value}, found))`
  const hexOfStatuses = (value: Fragment) =>
    sql`arrayStringConcat(arrayMap(one -> ${hexOf(value)}, arrayFlatten(arrayMap(page -> page.by_status, found))))`
  return sql`${hexOfPages(hexOf(sql`page.id`))} AS ids,
      ${hexOfPages(hexOf(sql`page.requests`))} AS page_requests,
      ${hexOfPages(hexOf(sql`page.observed`))} AS page_observed,
      ${hexOfPages(hexOf(sql`toUInt16(length(page.by_status))`))} AS status_counts,
      ${hexOfStatuses(sql`one.status`)} AS statuses,
      ${hexOfStatuses(sql`one.requests`)} AS status_requests`
}

/** Roll-ups have totals and pages in two tables. */
const sumsOfRollUps = (scope: CrawlerScope, crawler_id: string, max_pages: number) =>
  rows(CrawlerSums)`
  WITH ${countedRequests(scope)},${countedOutcomes(scope, sql`outcomes`)},${ownAgents(scope, crawler_id)},${TOTALS},
  -- Requests by page and status.
  page_statuses AS (
    SELECT page_id, status, sum(requests) AS requests
    FROM outcomes
    INNER JOIN own_agents USING (agent_key)
    GROUP BY page_id, status
  ),
  -- Requests by page, with its statuses.
  sums AS (
    SELECT page_id, sum(page_statuses.requests) AS requests, sumIf(page_statuses.requests, status != 0) AS observed,
      arraySort(groupArray((status, toFloat64(page_statuses.requests)))) AS by_status
    FROM page_statuses
    GROUP BY page_id
  ),
  -- All pages as one list.
  lists AS (
    SELECT sum(sums.requests) AS all_requests, count() AS all_pages,
      arraySort(page -> page.id, groupArray(${uint(max_pages + 1)})(CAST((page_id, sums.requests, observed, by_status) AS
        Tuple(id UInt64, requests Float64, observed Float64, by_status Array(Tuple(status UInt16, requests Float64)))))) AS listed,
      if(all_pages <= ${uint(max_pages)}, listed, []) AS found
    FROM sums
  )
  SELECT * FROM (
    SELECT part, date, status, identity, requests, toUInt64(0) AS pages, '' AS ids, '' AS page_requests, '' AS page_observed,
      '' AS status_counts, '' AS statuses, '' AS status_requests
    FROM totals
    UNION ALL
    SELECT 'pages' AS part, '' AS date, 0 AS status, '' AS identity, all_requests AS requests, all_pages AS pages,
      ${pageLists()}
    FROM lists
  )
  ORDER BY part, date, status, identity`

/** Facts are read once, because reading them takes most of the time. */
const sumsOfFacts = (scope: CrawlerScope, crawler_id: string, max_pages: number) =>
  rows(CrawlerSums)`
  WITH ${countedPageDays(scope)},${ownAgents(scope, crawler_id)},
  -- Requests by day, by status, by identity, and by page and status.
  groups AS (
    SELECT
      multiIf(grouping(day) = 0, 'daily', grouping(page_id) = 0, 'pages', grouping(status) = 0, 'status', 'identity') AS part,
      toString(day) AS date, if(part = 'pages', 0, status) AS total_status, toString(identity) AS identity, page_id,
      status AS page_status, sum(requests) AS requests
    FROM counted
    INNER JOIN own_agents USING (agent_key)
    GROUP BY GROUPING SETS ((day), (status), (identity), (page_id, status))
  ),
  -- Each of the totals, and each page with its statuses.
  sums AS (
    SELECT part, date, total_status, identity, page_id, sum(groups.requests) AS requests,
      sumIf(groups.requests, page_status != 0) AS observed,
      arraySort(groupArray((page_status, toFloat64(groups.requests)))) AS by_status
    FROM groups
    GROUP BY part, date, total_status, identity, page_id
  ),
  -- The totals, and all pages as one list.
  lists AS (
    SELECT part, date, total_status, identity, sum(sums.requests) AS all_requests, countIf(part = 'pages') AS all_pages,
      arraySort(page -> page.id, groupArrayIf(${uint(max_pages + 1)})(CAST((page_id, sums.requests, observed, by_status) AS
        Tuple(id UInt64, requests Float64, observed Float64, by_status Array(Tuple(status UInt16, requests Float64)))),
        part = 'pages')) AS listed,
      if(all_pages <= ${uint(max_pages)}, listed, []) AS found
    FROM sums
    GROUP BY part, date, total_status, identity
  )
  SELECT part, date, total_status AS status, identity, all_requests AS requests, all_pages AS pages,
    ${pageLists()}
  FROM lists
  ORDER BY part, date, status, identity`
