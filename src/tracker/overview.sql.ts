import Type from 'typebox'
import { count, type Fragment, rows, sql } from '#evidence/sql.ts'
import type { TrackerScope } from './scope.ts'
import { carriedBy, inTrackerBuilds, isClosed, numberedSessions, receivedMs } from './sessions/sessions.sql.ts'
import { unionAll } from './union.sql.ts'

/** One day's sessions in numbers; `timed` are closed ones of two events or more. */
const DayCounts = Type.Object({
  day: Type.String(),
  visitors: count(),
  sessions: count(),
  closed: count(),
  pageviews: count(),
  bounces: count(),
  timed_sessions: count(),
  timed_ms: count(),
  timed_pageviews: count(),
})

/** Days that anything was observed on, in any order: closed ones by their builds, the others from facts. */
export const dayCounts = (scope: TrackerScope) =>
  rows(DayCounts)`${unionAll([
    ...(scope.builds.length === 0 ? [] : [fromBuilds(scope)]),
    ...(scope.fact_days.length === 0 ? [] : [fromFacts(scope)]),
  ])}`

const fromBuilds = (scope: TrackerScope): Fragment => sql`
  SELECT day, visitors, sessions, sessions AS closed, pageviews, bounces, timed_sessions, timed_ms, timed_pageviews
  FROM spoor.tracker_daily WHERE ${inTrackerBuilds(scope)}`

const fromFacts = (scope: TrackerScope): Fragment => sql`
  SELECT day, uniqExact(visitor) AS visitors, count() AS sessions, countIf(is_closed) AS closed, sum(seen) AS pageviews,
    countIf(is_closed AND seen = 1 AND events = 1) AS bounces,
    countIf(is_closed AND events > 1) AS timed_sessions,
    sumIf(toUInt64(lasted_ms), is_closed AND events > 1) AS timed_ms,
    sumIf(seen, is_closed AND events > 1) AS timed_pageviews
  FROM (
    SELECT day, visitor, arrayCount(event -> ${carriedBy(sql`event`)} = 1, ordered) AS seen, length(ordered) AS events,
      ${receivedMs(sql`ordered[-1]`)} AS ended_ms, ended_ms - ${receivedMs(sql`ordered[1]`)} AS lasted_ms,
      ${isClosed(scope, sql`ended_ms`)} AS is_closed
    FROM (${numberedSessions(scope, sql`kind = 'pageview'`)})
  )
  GROUP BY day`
