import Type from 'typebox'
import { count, rows, sql, tuples, uuid } from '#evidence/sql.ts'
import { type CrawlerScope, countedPages, labels } from './scope.sql.ts'

/** Crawler requests of these pages, and the last one; pages without requests have no row. */
export const requestsOfPages = (scope: CrawlerScope, pages: readonly { host: string; path: string }[]) => rows(
  Type.Object({ host: Type.String(), path: Type.String(), requests: count(), last_ms: count() }),
)`
  WITH ${countedPages(scope)},${labels(scope)},
  -- Those of the pages that have evidence.
  named AS (
    SELECT host, path, cityHash64(host, path) AS page_id
    FROM spoor.pages FINAL
    WHERE site_id = ${uuid(scope.site_id)} AND (host, path) IN ${tuples(
      'Tuple(String, String)',
      pages.map(({ host, path }) => [host, path]),
    )}
  )
  SELECT named.host AS host, named.path AS path, sum(counted.requests) AS requests,
    ${sql`toUInt64(toUnixTimestamp64Milli(max(counted.last_at)))`} AS last_ms
  FROM counted
  INNER JOIN named USING (page_id)
  INNER JOIN labels USING (agent_key)
  GROUP BY host, path
  ORDER BY host, path`
