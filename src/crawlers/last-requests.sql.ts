import Type from 'typebox'
import { count, rows, text } from '#evidence/sql.ts'
import { type CrawlerScope, countedOutcomes, labels } from './scope.sql.ts'

const LastRequestRow = Type.Object({
  crawler_id: Type.String(),
  /** Epoch milliseconds. */
  last_request_at: count(),
  /** 0: its response was not observed. */
  last_status: Type.Integer(),
})

/** The last request of each crawler for a page; refuted claims count for no crawler. */
export const lastRequests = (scope: CrawlerScope, host: string, path: string) => rows(LastRequestRow)`
  WITH ${countedOutcomes(scope)},${labels(scope)}
  SELECT
    crawler_id,
    toUnixTimestamp64Milli(max(counted.last_at)) AS last_request_at,
    argMax(counted.status, counted.last_at) AS last_status
  FROM counted
  INNER JOIN labels USING (agent_key)
  WHERE counted.page_id = cityHash64(${text(host)}, ${text(path)}) AND identity != 'unknown'
  GROUP BY crawler_id
  ORDER BY crawler_id`
