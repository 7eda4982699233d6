import Type from 'typebox'
import { count, day, rows } from '#evidence/sql.ts'
import { type CrawlerScope, countedHosts, labels } from '../scope.sql.ts'

const HostCount = Type.Object({
  host: Type.String(),
  source_id: Type.String(),
  /** Empty: all days before `since`, together. */
  date: Type.String(),
  requests: count(),
})

/** Requests of every source by host, of all purposes; by day from `since` on, and of all earlier days together. */
export const hostCounts = (scope: CrawlerScope, since: string) =>
  rows(HostCount)`
  WITH ${countedHosts(scope)},${labels(scope)}
  SELECT host, toString(source_id) AS source_id, if(day >= ${day(since)}, toString(day), '') AS date, sum(requests) AS requests
  FROM counted
  INNER JOIN labels USING (agent_key)
  GROUP BY host, source_id, date
  ORDER BY host, source_id, date`
