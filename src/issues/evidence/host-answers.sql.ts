/** Whether hosts answered eligible agents, which an unreachable host does not (rules 8.1). */
import Type from 'typebox'
import { count, list, rows, sql } from '#evidence/sql.ts'
import type { OutcomeScope } from './detection-scope.ts'
import { countsNow, isPartlyWaiting } from './eligible-agents.sql.ts'
import { epochMs, fromCountedRollUp } from './page-outcomes.sql.ts'

const HostAnswer = Type.Object({
  host: Type.String(),
  /** 1: a 2xx or 3xx. */
  is_success: count(),
  first_ms: count(),
  last_ms: count(),
})

/** Responses of hosts since a day, by day and by whether they were successes. */
export const hostAnswers = (detection: OutcomeScope, hosts: readonly string[], from: string) => rows(HostAnswer)`
  WITH ${detection.eligible}
  SELECT toString(on_host) AS host, is_success, ${epochMs(sql`min(first_at)`)} AS first_ms, ${epochMs(sql`max(if(${isPartlyWaiting(detection)}, first_at, last_at))`)} AS last_ms
  FROM (
    SELECT agent_key, host AS on_host, day AS on_day, status BETWEEN 200 AND 399 AS is_success, first_at, last_at
    ${fromCountedRollUp(detection, from)} AND host IN ${list('String', hosts)} AND status != 0
  ) AS counted
  INNER JOIN eligible USING (agent_key)
  WHERE ${countsNow(detection)}
  GROUP BY on_host, on_day, is_success
  ORDER BY host, first_ms, is_success`
