import Type from 'typebox'
import { count, rows, uint } from '#evidence/sql.ts'
import { type CrawlerScope, countedHostOutcomes, labels } from './scope.sql.ts'

const ServedHost = Type.Object({ host: Type.String(), requests: count() })

/**
 * Hosts that served crawlers at least `least` requests with 2xx, the busiest first; refuted claims do not count.
 */
export const servedHosts = (scope: CrawlerScope, { least, limit }: { least: number; limit: number }) => rows(
  ServedHost,
)`
  WITH ${countedHostOutcomes(scope)},${labels(scope)}
  SELECT host, sum(requests) AS requests
  FROM counted
  INNER JOIN labels USING (agent_key)
  WHERE intDiv(status, 100) = 2 AND identity != 'unknown'
  GROUP BY host
  HAVING requests >= ${uint(least)}
  ORDER BY requests DESC, host
  LIMIT ${uint(limit)}`
