import Type from 'typebox'
import { count, day, rows } from '#evidence/sql.ts'
import { type CrawlerScope, countedHosts, labels } from '../scope.sql.ts'

const HostCount = Type.Object({
  host: Type.String(),
  source_id: Type.String(),
  /** Empty: all days before the first one that is distinguished. */
  date: Type.String(),
  requests: count(),
})

/** Requests of every source, whatever their purpose, by host; by day from `since` on, the days before as one. */
export const hostCounts = (scope: CrawlerScope, since: string) =>
  rows(HostCount)`
  WITH ${countedHosts(scope)},${labels(scope)}
  SELECT host, toString(source_id) AS source_id, if(day >= ${day(since)}, toString(day), '') AS date, sum(requests) AS requests
  FROM counted
  INNER JOIN labels USING (agent_key)
  GROUP BY host, source_id, date
  ORDER BY host, source_id, date`
