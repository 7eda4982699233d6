import Type from 'typebox'
import { count, rows } from '#evidence/sql.ts'
import { type CrawlerScope, countedRequests, labels, passesFilter } from './scope.sql.ts'

/** A row of one grouping. Columns of the other groupings have their type's default value. */
const RequestCount = Type.Object({
  grouping_id: Type.Integer(),
  date: Type.String(),
  crawler_id: Type.String(),
  status: Type.Integer(),
  purpose: Type.String(),
  scope: Type.String(),
  path_class: Type.String(),
  counted: count(),
  hidden: count(),
})

/** The grouping of a row: the bits of grouping(date, status, purpose, scope, path_class), where 1 is not grouped by. */
export const GROUPING = { daily: 0b01111, status: 0b10111, purpose: 0b11011, scope: 0b11101, path_class: 0b11110 }

/** All totals of a performance answer from one scan of the same rows, so that they cannot differ. */
export const requestCounts = (scope: CrawlerScope) =>
  rows(RequestCount)`
  WITH ${countedRequests(scope)},${labels(scope)}
  SELECT
    toUInt8(grouping(day, status, purpose, scope, path_class)) AS grouping_id,
    toString(day) AS date,
    crawler_id,
    status,
    purpose,
    scope,
    toString(path_class) AS path_class,
    sumIf(requests, ${passesFilter(scope)}) AS counted,
    sumIf(requests, NOT ${passesFilter(scope)}) AS hidden
  FROM counted
  INNER JOIN labels USING (agent_key)
  GROUP BY GROUPING SETS ((day, crawler_id), (status), (purpose), (scope), (path_class))
  ORDER BY grouping_id, date, crawler_id, status, purpose, scope, path_class`
