/** Whether hosts answered anybody whose requests count: what an unreachable host does not (rules 8.1). */
import Type from 'typebox'
import { inCountedBuilds } from '#crawlers/scope.sql.ts'
import { count, day, list, rows, sql } from '#evidence/sql.ts'
import type { OutcomeScope } from './detection-scope.ts'

const HostAnswer = Type.Object({
  host: Type.String(),
  /** 1: a 2xx or 3xx. */
  is_success: count(),
  first_ms: count(),
  last_ms: count(),
})

/** Responses of hosts since a day, by day and by whether they were successes. */
export const hostAnswers = (of: OutcomeScope, hosts: readonly string[], from: string) => rows(HostAnswer)`
  SELECT toString(on_host) AS host, is_success, ${sql`toUnixTimestamp64Milli(min(first_at))`} AS first_ms,
    ${sql`toUnixTimestamp64Milli(max(last_at))`} AS last_ms
  FROM (
    SELECT host AS on_host, day AS on_day, status BETWEEN 200 AND 399 AS is_success, first_at, last_at
    FROM spoor.page_outcomes_daily
    WHERE ${inCountedBuilds(of.scope)} AND day >= ${day(from)} AND host IN ${list('String', hosts)} AND status != 0
  )
  GROUP BY on_host, on_day, is_success
  ORDER BY host, first_ms, is_success`
