import Type from 'typebox'
import { count, type Fragment, list, rows, sql, uint, uuid } from '#evidence/sql.ts'
import { type CrawlerScope, countedPages, labelsOfVersion, passesFilter } from './scope.sql.ts'

const CrawledPage = Type.Object({
  page_id: Type.String(),
  /** Empty for requests that the purpose filter hides. */
  crawler_id: Type.String(),
  requests: count(),
  last_at: count(),
})

/** Crawler requests of these pages and of those under redacted paths, by crawler. */
export const crawledPages = (scope: CrawlerScope, page_ids: readonly string[]) =>
  rows(CrawledPage)`
  WITH${byCrawler(scope, page_ids)}
  SELECT toString(page_id) AS page_id, shown_id AS crawler_id, requests,
    toUInt64(toUnixTimestamp64Milli(last_at)) AS last_at
  FROM by_crawler`

/** The part `by_crawler`, with the parts that it reads. */
const byCrawler = (scope: CrawlerScope, page_ids: readonly string[]): Fragment => sql`${countedPages(scope)},
  -- The crawler of each agent; empty if the filter hides its purpose.
  agents AS (
    SELECT agent_key, if(${passesFilter(scope)}, toString(crawler_id), '') AS shown_id
    FROM (${labelsOfVersion(scope)}
    )
  ),
  -- Requests of these pages and of those under redacted paths, by crawler.
  by_crawler AS (
    SELECT page_id, shown_id, sum(counted.requests) AS requests, max(counted.last_at) AS last_at
    FROM counted
    INNER JOIN agents USING (agent_key)
    WHERE counted.page_id IN ${list('UInt64', page_ids)}
      OR counted.page_id IN (SELECT page_id FROM spoor.pages FINAL WHERE ${isRedacted(scope.site_id)})
    GROUP BY page_id, shown_id
  )`

const RankedPage = Type.Object({
  page_id: Type.String(),
  hostname: Type.String(),
  path: Type.String(),
  is_redacted: count(),
  requests: count(),
  crawlers: count(),
  /** 0 if `requests` is 0. */
  last_at: count(),
  /** Requests that the purpose filter hides. */
  hidden: count(),
  total_patterns: count(),
})

/**
 * Crawler requests by page, with names: of these pages, and of at most `limit` others under redacted paths, those with
 * the most requests first, then by host and path. Each row has the number of all redacted paths with requests that the
 * filter shows.
 */
export const rankedPages = (scope: CrawlerScope, page_ids: readonly string[], limit: number) =>
  rows(RankedPage)`
  WITH${byCrawler(scope, page_ids)},
  -- Crawler requests of each page.
  crawled AS (
    SELECT page_id, sumIf(by_crawler.requests, shown_id != '') AS requests, countIf(shown_id != '') AS crawlers,
      toUInt64(toUnixTimestamp64Milli(maxIf(by_crawler.last_at, shown_id != ''))) AS last_at,
      sumIf(by_crawler.requests, shown_id = '') AS hidden
    FROM by_crawler
    GROUP BY page_id
  ),
  -- Host and path of these pages and of redacted ones.
  names AS (
    SELECT page_id, host, path, path_fidelity = 'redacted' AS is_redacted
    FROM spoor.pages FINAL
    WHERE site_id = ${uuid(scope.site_id)} AND (page_id IN ${list('UInt64', page_ids)} OR path_fidelity = 'redacted')
  )
  SELECT toString(names.page_id) AS page_id, names.host AS hostname, names.path AS path, names.is_redacted AS is_redacted,
    requests, crawlers, last_at, hidden, countIf(names.is_redacted AND requests > 0) OVER () AS total_patterns
  FROM crawled
  INNER JOIN names USING (page_id)
  ORDER BY names.page_id IN ${list('UInt64', page_ids)} DESC, requests DESC, hostname, path
  LIMIT ${uint(page_ids.length + limit)}`

const isRedacted = (site_id: string): Fragment => sql`site_id = ${uuid(site_id)} AND path_fidelity = 'redacted'`

/** The number of redacted paths of a site, and a digest that changes when one is added or removed. */
export const digestOfRedacted = (site_id: string) => rows(Type.Object({ paths: count(), digest: Type.String() }))`
  SELECT count() AS paths, concat(toString(count()), ' ', toString(groupBitXor(page_id))) AS digest
  FROM spoor.pages FINAL
  WHERE ${isRedacted(site_id)}`

const RedactedPage = Type.Object({ page_id: Type.String(), hostname: Type.String(), path: Type.String() })

/** At most `limit` redacted paths of a site. */
export const redactedPages = (site_id: string, limit: number) => rows(RedactedPage)`
  SELECT toString(page_id) AS page_id, host AS hostname, path
  FROM spoor.pages FINAL
  WHERE ${isRedacted(site_id)}
  LIMIT ${uint(limit)}`
