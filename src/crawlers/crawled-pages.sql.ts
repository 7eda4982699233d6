import Type from 'typebox'
import { count, type Fragment, list, rows, sql, uuid } from '#evidence/sql.ts'
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
  WITH${countedPages(scope)},
  -- The crawler of each agent, and none where the filter hides its purpose.
  agents AS (
    SELECT agent_key, if(${passesFilter(scope)}, toString(crawler_id), '') AS shown_id
    FROM (${labelsOfVersion(scope)}
    )
  )
  SELECT toString(page_id) AS page_id, shown_id AS crawler_id, sum(counted.requests) AS requests,
    toUInt64(toUnixTimestamp64Milli(max(counted.last_at))) AS last_at
  FROM counted
  INNER JOIN agents USING (agent_key)
  WHERE counted.page_id IN ${list('UInt64', page_ids)}
    OR counted.page_id IN (SELECT page_id FROM spoor.pages FINAL WHERE ${isRedacted(scope.site_id)})
  GROUP BY page_id, shown_id`

const isRedacted = (site_id: string): Fragment => sql`site_id = ${uuid(site_id)} AND path_fidelity = 'redacted'`

/** One text for all redacted paths of a site: another one when there is one more, or one less. */
export const digestOfRedacted = (site_id: string) => rows(Type.Object({ digest: Type.String() }))`
  SELECT concat(toString(count()), ' ', toString(groupBitXor(page_id))) AS digest
  FROM spoor.pages FINAL
  WHERE ${isRedacted(site_id)}`

const RedactedPage = Type.Object({ page_id: Type.String(), hostname: Type.String(), path: Type.String() })

/** The redacted paths of a site. */
export const redactedPages = (site_id: string) => rows(RedactedPage)`
  SELECT toString(page_id) AS page_id, host AS hostname, path
  FROM spoor.pages FINAL
  WHERE ${isRedacted(site_id)}`
